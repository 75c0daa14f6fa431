/**
 * Resolves when the work is done, or after so many milliseconds. A pause beside the work would stay in memory to its end,
 * with what it holds: here the end of the work takes it away. It keeps no program up.
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs).unref()));
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
