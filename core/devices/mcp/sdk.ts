/**
 * The official SDK, loaded with the first server that is used. It is large, and most daemons need none of it. Each package
 * path leads to the same file of the bundle.
 */
export async function loadSdk() {
  const [client, http, sse, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { ...client, ...http, ...sse, ...types };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
