export interface Endpoint {
  /** What everything begins with, without the version and a slash at its end. */
  base: string;
  version: string;
  /** The query of `base_url`, for proxies that want one. */
  query: URLSearchParams;
}

/** The SDK's next major version takes another one by default, where not all of what is sent here is known. */
const DEFAULT_VERSION = 'v1beta';
const VERSION_AT_END = /\/(v\d+(?:alpha|beta)?\d*)$/;

/** Reads a `base_url`: the version may be left out, and so may a slash at the end. */
export function readBaseUrl(baseUrl: string): Endpoint {
  const { origin, pathname, searchParams } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const version = VERSION_AT_END.exec(path)?.[1];
  return {
    base: origin + (version === undefined ? path : path.slice(0, -version.length - 1)),
    version: version ?? DEFAULT_VERSION,
    query: searchParams,
  };
}

export function modelsUrl({ base, version, query }: Endpoint, parameters: Record<string, string> = {}): URL {
  const url = withQuery(`${base}/${version}/models`, query);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Where a model is asked, without the method. */
export function modelUrl({ base, version, query }: Endpoint, model: string): URL {
  return withQuery(`${base}/${version}/models/${model.replace(/^models\//, '')}`, query);
}

/** Adds the query of `base_url` to an address. */
export function withQuery(address: string, query: URLSearchParams): URL {
  const url = new URL(address);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}
