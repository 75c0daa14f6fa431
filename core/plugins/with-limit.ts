/** How long a plug-in's import or factory may take. A top-level await that never settles would otherwise hang the start. */
export const LOAD_LIMIT_MS = 10_000;

/** Settles like `work`, or fails after the limit. The timer stays referenced: it keeps the process up meanwhile. */
export async function withLimit<T>(work: Promise<T>, what: string, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not finish within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
