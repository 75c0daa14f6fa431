import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayClient } from './clients/gateway-client';
import { KeyDigests } from './clients/key-digests';
import type { Keyring } from './clients/keyring';
import { gatewayError } from './to-http-error';

export interface AccessRules {
  /** Host names besides those of loopback, in lower case. */
  allowHosts: readonly string[];
  /** Origins of web pages that may call the gateway. */
  allowOrigins: readonly string[];
  /** The SHA-256 of the owner's key, which belongs to no client. With neither it nor clients, no key is needed. */
  keyDigest?: Buffer;
}

const AUTHORIZATION = 'authorization';
/** In any case. */
const SCHEME = 'bearer ';

/**
 * Decides which requests are served. The server listens on loopback only, but every web page that the user visits can
 * reach it. The check of Host defeats DNS rebinding, the check of Origin the requests of foreign pages.
 */
export class AccessGuard {
  private readonly digests = new KeyDigests();

  /** `exposed`: the headers of answers that pages of an allowed origin may read; `noteStranger`: called for each wrong key. */
  constructor(
    private readonly rules: AccessRules,
    private readonly exposed = '',
    private readonly noteStranger?: () => void,
  ) {}

  /** Throws an HttpError for a foreign Host or Origin. */
  checkSource(request: IncomingMessage): void {
    const { host = '', origin } = request.headers;
    this.checkHost(host);
    this.checkOrigin(origin, host);
  }

  /**
   * Finds the client whose key a request has in `authorization`, or in a header of these names; the first key that is known
   * counts. Undefined for the owner of the gateway, and where no key is needed. Throws an HttpError without a known key.
   */
  identify(
    { headers }: IncomingMessage,
    names: readonly string[],
    keyring: Pick<Keyring, 'find'> | undefined,
  ): GatewayClient | undefined {
    const { keyDigest } = this.rules;
    if (!keyDigest && !keyring) return undefined;
    let hasKey = false;
    for (const name of [AUTHORIZATION, ...names]) {
      const key = keyIn(headers, name);
      if (typeof key !== 'string' || key === '') continue;
      hasKey = true;
      // Digests have equal lengths, so the comparison takes the same time for every guess.
      for (const digest of this.digests.of(key)) {
        if (keyDigest && timingSafeEqual(digest, keyDigest)) return undefined;
        const client = keyring?.find(digest);
        if (client) return client;
      }
    }
    this.noteStranger?.();
    const wanted = `this gateway wants ${keyring ? 'the key of a client' : 'its key'} as "Authorization: Bearer <key>"`;
    const isOther = !/^(?:Bearer\b|$)/i.test(headers.authorization ?? '');
    const none = isOther ? 'the Authorization of the request is of another form' : 'the request has no key';
    const found = hasKey ? 'it does not know the key of the request' : none;
    throw gatewayError('invalid_api_key', `${wanted}; ${found}`, { headers: { 'www-authenticate': 'Bearer' } });
  }

  /** Lets web pages of the origins that `--allow-origin` names read the answer. */
  addCorsHeaders(request: IncomingMessage, headers: Record<string, string>): void {
    const { origin } = request.headers;
    if (origin === undefined || !this.rules.allowOrigins.includes(origin)) return;
    headers['access-control-allow-origin'] = origin;
    headers['access-control-expose-headers'] = this.exposed;
    headers.vary = 'Origin';
  }

  private checkHost(host: string): void {
    const name = hostName(host);
    if (name !== undefined && (isLoopback(name) || this.rules.allowHosts.includes(name))) return;
    const hint = name ? `; to allow it, start drivebay with --allow-host ${name}` : '';
    throw gatewayError('forbidden_host', `the Host "${host}" is not a name of this machine${hint}`);
  }

  private checkOrigin(origin: string | undefined, host: string): void {
    if (origin === undefined || this.rules.allowOrigins.includes(origin)) return;
    // The origin is the gateway itself.
    if (origin.toLowerCase() === `http://${host.toLowerCase()}`) return;
    // Unrelated pages share the opaque origin "null", so no flag allows it.
    const hint = origin.includes('://') ? `; to allow it, start drivebay with --allow-origin ${origin}` : '';
    throw gatewayError('forbidden_origin', `web pages of ${JSON.stringify(origin)} may not use this gateway${hint}`);
  }
}

function keyIn(headers: IncomingHttpHeaders, name: string): string | string[] | undefined {
  if (name !== AUTHORIZATION) return headers[name];
  const { authorization = '' } = headers;
  const scheme = authorization.slice(0, SCHEME.length);
  return scheme.toLowerCase() === SCHEME ? authorization.slice(SCHEME.length).trim() : undefined;
}

/** Whether a browser asks before a request of another origin. The guard has refused foreign origins by then. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): void {
  const asked = request.headers['access-control-request-headers'];
  const isPrivate = request.headers['access-control-request-private-network'] === 'true';
  headers['access-control-allow-methods'] = 'GET, POST, DELETE';
  headers['access-control-max-age'] = '600';
  // SDKs send headers of their own (x-stainless-*), so every requested header is granted.
  if (asked !== undefined) headers['access-control-allow-headers'] = asked;
  if (isPrivate) headers['access-control-allow-private-network'] = 'true';
  response.writeHead(204, headers).end();
}

/** The name without the port; undefined where the text is neither `name` nor `name:port`. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
