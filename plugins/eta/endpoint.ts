interface Endpoint {
  /** Without a version and without a slash at its end: the SDK appends its paths to it. */
  base: string;
  /** Sent with every request. */
  query: URLSearchParams;
  chat: URL;
  models: URL;
  /** Whether this is the vendor itself, not a proxy or a server that speaks the same wire. */
  isVendor: boolean;
}

const VERSION_AT_END = /\/v\d+(\/messages)?$/;

export function resolveEndpoint(baseUrl: string): Endpoint {
  const { origin, hostname, pathname, search, searchParams } = new URL(baseUrl);
  const base = origin + pathname.replace(/\/+$/, '').replace(VERSION_AT_END, '').replace(/\/+$/, '');
  return {
    base,
    query: searchParams,
    chat: new URL(`${base}/v1/messages`),
    models: new URL(`${base}/v1/models${search}`),
    isVendor: hostname === 'anthropic.com' || hostname.endsWith('.anthropic.com'),
  };
}

/** The version of the vendor's API that knows sampling parameters, on the models that have them. */
export const SAMPLING_VERSION = '2023-06-01';

/** The first version with the key as a bearer token. Versions are dates. */
const BEARER_VERSION = '2026-10-21';

/**
 * The headers with the key. The SDK's own way, a bearer token, is only a few months old: proxies and compatible servers
 * read the older header, and so does the vendor's older version. Other servers than the vendor's get both.
 */
export function keyHeaders(key: string, isVendor: boolean, version?: string): Record<string, string | null> {
  const isOld = version !== undefined && version < BEARER_VERSION;
  const headers: Record<string, string | null> = { Authorization: isVendor && isOld ? null : `Bearer ${key}` };
  if (isOld || !isVendor) headers['X-Api-Key'] = key;
  if (version !== undefined) headers['anthropic-version'] = version;
  return headers;
}
