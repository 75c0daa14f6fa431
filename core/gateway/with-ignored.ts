/** The headers of an answer, with the names of fields of its request that had no effect. */
export function withIgnored(headers: Record<string, string>, ignored: Iterable<string>): Record<string, string> {
  // The names come from drivers. Characters that a header cannot hold are left out.
  const names = [...ignored].map((name) => name.replace(/[^\x21-\x7e]/g, '')).join(',');
  return { ...headers, 'x-drivebay-ignored-params': names };
}
