import type { DriverErrorCode, DriverErrorDetails } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { codeOf, messageOf } from '../errors';

/** `head`: nothing of the answer was understood yet. `body`: the answer was cut while it arrived. */
export type Phase = 'head' | 'body';

type Fail = (code: DriverErrorCode, message: string, details?: DriverErrorDetails) => DriverError;

const CLOSED_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const POOL_CLOSED_CODES = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const UNROUTABLE_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);
const CONNECT_TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** True when the other side hung up. A stale keep-alive connection fails this way. */
export function isConnectionClosed(error: unknown): boolean {
  return CLOSED_CODES.has(codeOf(error) ?? '');
}

/** Names the server by host and port only: credentials and query of a URL never reach a message. */
export function explainFailure(url: URL, error: unknown, phase: Phase): DriverError {
  const cause = codeOf(error) ?? '';
  const { host } = url;
  const fail: Fail = (code, message, details) => new DriverError(code, message, { ...details, cause: error });
  if (cause === 'UND_ERR_BODY_TIMEOUT') return fail('timeout', `${host} went silent in the middle of its answer`);
  if (cause === 'UND_ERR_HEADERS_TIMEOUT') return fail('timeout', `${host} did not answer in time`);
  if (POOL_CLOSED_CODES.has(cause)) return fail('canceled', `the connections to ${host} were closed`);
  return phase === 'body' ? explainBody(fail, host, error, cause) : explainHead(fail, url, error, cause);
}

function explainHead(fail: Fail, { host, hostname, origin, port }: URL, error: unknown, cause: string): DriverError {
  if (cause === 'ECONNREFUSED') {
    const hint = `start the server at ${origin}, or correct base_url`;
    return fail('unreachable', `${host} refused the connection`, { hint });
  }
  if (cause === 'ENOTFOUND') {
    const hint = 'check the host name in base_url and the network';
    return fail('unreachable', `the host ${hostname} does not exist`, { hint });
  }
  if (cause === 'EAI_AGAIN') {
    return fail('unreachable', `the host ${hostname} cannot be looked up`, { hint: 'check the network (DNS)' });
  }
  if (CONNECT_TIMEOUT_CODES.has(cause)) {
    const hint = 'check host, port and firewall';
    return fail('timeout', `${host} did not accept the connection in time`, { hint });
  }
  if (UNROUTABLE_CODES.has(cause)) {
    return fail('unreachable', `no route to ${host} (${cause})`, { hint: 'check the network' });
  }
  if (CLOSED_CODES.has(cause)) return fail('unreachable', `${host} closed the connection before it answered`);
  if (UNTRUSTED_CERTIFICATE.test(cause)) {
    const hint = 'name the CA file in NODE_EXTRA_CA_CERTS';
    return fail('unreachable', `the certificate of ${host} is not trusted (${cause})`, { hint });
  }
  if (TLS_CODE.test(cause)) {
    const isPlain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/i.test(`${cause} ${messageOf(error)}`);
    const reason = cause === 'EPROTO' ? 'protocol error' : cause;
    const hint = isPlain ? 'the server seems to speak plain HTTP: try http:// in base_url' : undefined;
    return fail('unreachable', `no TLS connection to ${host} (${reason})`, { hint });
  }
  if (isParserError(error) || cause === 'UND_ERR_HEADERS_OVERFLOW') {
    return fail('protocol', `${host} did not answer in HTTP (${messageOf(error)})`, { hint: 'check base_url' });
  }
  if (cause === 'UND_ERR_INVALID_ARG' && messageOf(error).includes('authorization')) {
    const hint = 'look for a line break or a quote in the key';
    return fail('auth', `the key for ${host} holds characters that no HTTP header may hold`, { hint });
  }
  if (cause === 'UND_ERR_INVALID_ARG') {
    return fail('protocol', `the driver made an impossible request: ${messageOf(error)}`, { kind: 'driver_bug' });
  }
  return fail('unreachable', `the request to ${host}${port ? '' : ` (${origin})`} failed: ${messageOf(error)}`);
}

function explainBody(fail: Fail, host: string, error: unknown, cause: string): DriverError {
  const isShort =
    cause === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || (isParserError(error) && /EOF/.test(messageOf(error)));
  if (isShort || CLOSED_CODES.has(cause)) {
    return fail('protocol', `${host} closed the connection in the middle of its answer`, { kind: 'truncated' });
  }
  const kind = cause === 'line_too_long' ? cause : undefined;
  return fail('protocol', `the answer of ${host} is not valid (${messageOf(error)})`, { kind });
}

/** The parser's errors have no code, only a name. */
function isParserError(error: unknown): boolean {
  return (error as Partial<Error> | undefined)?.name === 'HTTPParserError';
}
