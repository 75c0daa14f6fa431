interface Rules<Target, Failure extends Error> {
  /** Whether another target may be asked after this failure. Judged before the next target is looked for. */
  leadsOn: (error: unknown) => error is Failure;
  /** Makes way for the next target. What it throws ends the search. */
  makeWay: (failed: Target, error: Failure, next: Target) => Promise<void>;
}

/** Asks targets one after the other until one answers. Routes and the fallback of agents are this. */
export async function askInTurn<Target, Answer, Failure extends Error>(
  targets: Iterable<Target>,
  ask: (target: Target) => Promise<Answer>,
  rules: Rules<Target, Failure>,
): Promise<Answer> {
  let failed: { target: Target; error: Failure } | undefined;
  for (const queue = targets[Symbol.iterator](); ;) {
    const step = queue.next();
    if (step.done) throw failed?.error ?? new TypeError('there is no target to ask');
    const target: Target = step.value;
    if (failed) await rules.makeWay(failed.target, failed.error, target);
    try {
      return await ask(target);
    } catch (error) {
      if (!rules.leadsOn(error)) throw error;
      failed = { target, error };
    }
  }
}
