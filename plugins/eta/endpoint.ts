export interface Endpoint {
  /** Without a version and without a slash at its end: what the SDK appends its paths to. */
  base: string;
  /** Sent with every request. */
  query: Record<string, string>;
  models: URL;
  /** Whether this is the vendor itself, not a proxy or a server that speaks the same wire. */
  isVendor: boolean;
}

const VERSION_AT_END = /\/v\d+(\/messages)?$/;

/** The addresses behind a `base_url`. */
export function resolveEndpoint(baseUrl: string): Endpoint {
  const { origin, hostname, pathname, search, searchParams } = new URL(baseUrl);
  const base = origin + pathname.replace(/\/+$/, '').replace(VERSION_AT_END, '').replace(/\/+$/, '');
  return {
    base,
    query: Object.fromEntries(searchParams),
    models: new URL(`${base}/v1/models${search}`),
    isVendor: hostname === 'anthropic.com' || hostname.endsWith('.anthropic.com'),
  };
}
