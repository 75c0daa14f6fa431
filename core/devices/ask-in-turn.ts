interface Rules<Target, Failure> {
  /** Whether another target may be asked after this failure. Judged before the next target is looked for. */
  leadsOn(error: unknown): error is Failure;
  /** Makes way for the next target. What it throws ends the search. */
  makeWay(failed: Target, error: Failure, next: Target): Promise<void>;
}

/** Asks targets one after the other until one answers. Routes and the fallback of agents are this. */
export async function askInTurn<Target, Answer, Failure>(
  targets: Iterable<Target>,
  ask: (target: Target) => Promise<Answer>,
  { leadsOn, makeWay }: Rules<Target, Failure>,
): Promise<Answer> {
  let failed: { target: Target; error: Failure } | undefined;
  const queue = targets[Symbol.iterator]();
  for (;;) {
    const { done, value: target } = queue.next();
    if (done) throw failed?.error;
    if (failed) await makeWay(failed.target, failed.error, target);
    try {
      return await ask(target);
    } catch (error) {
      if (!leadsOn(error)) throw error;
      failed = { target, error };
    }
  }
}
