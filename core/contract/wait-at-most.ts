/**
 * Resolves when the work is done, or after so many milliseconds. A separate timer would stay in memory to its end,
 * with everything it references: here the end of the work clears it. The timer does not keep the process alive.
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
