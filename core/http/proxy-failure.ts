import { DriverError } from '../contract/driver-error';
import { codeOf } from '../errors';
import { nameOf, type Proxy } from './proxies';

/** The proxy could not be reached, or did not open a tunnel. */
export class ProxyFailure extends Error {
  readonly code = 'proxy_failed';

  /** `reason` is the status of its answer, or the code of the system. */
  constructor(readonly reason: number | string) {
    super(`the proxy failed (${reason})`);
  }
}

/** What a proxy did, by the status of its answer or the code of the system. */
const REASONS: Record<number | string, string> = {
  407: 'wants a name and a password',
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'cannot be found',
  EAI_AGAIN: 'cannot be found',
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
};

/** Explains a failure that is the proxy's; undefined when it is the server's. */
export function explainProxy(proxy: Proxy, url: URL, error: unknown): DriverError | undefined {
  const code = codeOf(error) ?? '';
  // Without a tunnel the connection is one to the proxy.
  const own = url.protocol === 'http:' && Object.hasOwn(REASONS, code) ? code : undefined;
  const reason = code === 'proxy_failed' ? (error as ProxyFailure).reason : own;
  if (reason === undefined) return undefined;
  const { variable } = proxy;
  const did = REASONS[reason] ?? `did not lead to ${url.host} (${reason})`;
  const change =
    reason === 407 ? `put them into ${variable}, as http://NAME:PASSWORD@HOST:PORT` : `correct ${variable} or unset it`;
  return new DriverError('unreachable', `the proxy ${nameOf(proxy)} of ${variable} ${did}`, {
    hint: `${change}; or name ${url.hostname} in NO_PROXY`,
    cause: error,
  });
}
