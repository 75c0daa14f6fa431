export interface Endpoint {
  /** The beginning of the other addresses. */
  base: URL;
  chat: URL;
  embeddings: URL;
  models: URL;
}

const CHAT_PATH = '/chat/completions';
const VERSION_SEGMENT = /^v\d+(alpha|beta)?\d*$/;

/**
 * The addresses behind a `base_url`. `/v1` is added where the path names no version, because that is where nearly every
 * server listens; a URL that ends in `/chat/completions`, or that has an `api-version` in its query, is taken as it is.
 */
export function resolveEndpoint(baseUrl: string): Endpoint {
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/+$/, '');
  const at = (end: string): URL => new URL(base.origin + rootOf(path, base.searchParams) + end + base.search);
  return { base: at(''), chat: at(CHAT_PATH), embeddings: at('/embeddings'), models: at('/models') };
}

function rootOf(path: string, query: URLSearchParams): string {
  if (path.endsWith(CHAT_PATH)) return path.slice(0, -CHAT_PATH.length);
  const isVersioned = query.has('api-version') || path.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  return isVersioned ? path : `${path}/v1`;
}
