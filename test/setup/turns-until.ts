/** How many turns of the queue of promises pass until one is settled. */
export async function turnsUntil<T>(promise: Promise<T>): Promise<{ turns: number; value: T }> {
  let settled: { value: T } | undefined;
  void promise.then((value) => (settled = { value }));
  let turns = 0;
  while (!settled) {
    await Promise.resolve();
    turns += 1;
  }
  return { turns, ...settled };
}
