interface Endpoint {
  /** The beginning of every address, without the version and a slash at its end. */
  base: string;
  version: string;
  /** The query of `base_url`, for proxies that want one. */
  query: URLSearchParams;
}

/** Named here, because the SDK's next major version has another default, which knows fewer fields. */
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

export function modelsUrl({ base, version, query }: Endpoint): URL {
  return withQuery(`${base}/${version}/models`, query);
}

export function modelUrl(endpoint: Endpoint, model: string): URL {
  const url = modelsUrl(endpoint);
  url.pathname += `/${model.replace(/^models\//, '')}`;
  return url;
}

export function withQuery(address: string, query: URLSearchParams): URL {
  const url = new URL(address);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}
