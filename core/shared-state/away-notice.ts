import type { Logger } from '../contract/api';
import { codeOf, messageOf } from '../errors';

/** A server that is just too slow comes and goes all the time: it is reported at most this often. */
const QUIET_MS = 60_000;
/** A start may take this long before an unreachable server is reported. */
const START_MS = 3_000;

/** Tells the log once that the server is away, and once that it is back. */
export class AwayNotice {
  private hasWarned = false;
  private quietUntil = performance.now() + START_MS;

  constructor(private readonly parts: { isRequired: boolean; log: Logger; redact: (text: string) => string }) {}

  lost(error: unknown): void {
    // A connection takes a moment to be made, and requests do not wait for it.
    if (!this.hasWarned && performance.now() >= this.quietUntil) this.tell(awayReason(error));
  }

  /** Warns at once, of a reason that does not go away by itself. */
  tell(reason: string): void {
    this.hasWarned = true;
    this.quietUntil = performance.now() + QUIET_MS;
    const { log, redact, isRequired } = this.parts;
    const result = isRequired ? 'requests under a limit are refused' : 'this machine counts alone until then';
    log.warn(`the shared state cannot be reached: ${redact(reason)}; ${result}`);
  }

  regained(): void {
    if (this.hasWarned) this.parts.log.info('the shared state is reached again');
    this.hasWarned = false;
  }
}

const NOT_OURS = 'a key that begins with drivebay: holds something else, so delete it; its name is for Drivebay alone';
const NOT_ALLOWED = 'the user of the address needs all commands (+@all) on keys that begin with drivebay:';
const CLUSTER = 'the server is a cluster, which Drivebay cannot use; name a server without cluster mode';
const NO_NUMBER = /not an integer/;
/** A script has used a command that its user may not. */
const NO_COMMAND = /can't run this command/;
const NOT_TRUSTED = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/;

/** By the code of the error, or by a word of an answer of the server: the first one, or one behind `ERR` where a script has failed. Own words, because those of Node name the address. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server ended the connection; where it wants TLS, the address begins with rediss://',
  ENOTFOUND: 'the host of the address does not exist',
  EAI_AGAIN: 'the host of the address cannot be looked up',
  ETIMEDOUT: 'the server did not accept the connection in time',
  EHOSTUNREACH: 'there is no route to the server',
  ENETUNREACH: 'there is no route to the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name than the one of the address',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  WRONGPASS: 'the server refuses the user or the password of the address',
  NOAUTH: 'the server wants a password, and the address has none',
  NOPERM: NOT_ALLOWED,
  READONLY: 'the server is a replica, which takes no counts; name the primary',
  WRONGTYPE: NOT_OURS,
  MOVED: CLUSTER,
  ASK: CLUSTER,
  CROSSSLOT: CLUSTER,
  CLUSTERDOWN: CLUSTER,
  OOM: 'the memory of the server is full',
  LOADING: 'the server is still starting',
  MISCONF: 'the server takes no writes, because it cannot write its own disk',
};

/** Says why a server cannot be used, and what to do about it, without its address. */
export function awayReason(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (NOT_TRUSTED.test(code)) {
    return `the certificate of the server is not trusted (${code}); name the CA file in NODE_EXTRA_CA_CERTS`;
  }
  const message = messageOf(error);
  if (NO_NUMBER.test(message)) return NOT_OURS;
  if (NO_COMMAND.test(message)) return NOT_ALLOWED;
  const words = message.match(/\b[A-Z]{3,}\b/g) ?? [];
  return [code, ...words].map((word) => REASONS[word]).find(Boolean) ?? message;
}
