/**
 * Asks targets one after the other until one answers. Routes and the fallback of agents are this. `leadsOn` resolves with
 * whether the next target may be asked after a failure; the failure that ends the search is thrown.
 */
export async function askInTurn<Target, Answer>(
  targets: Iterable<Target>,
  ask: (target: Target) => Promise<Answer>,
  leadsOn: (error: unknown, failed: Target, next: Target) => boolean | Promise<boolean>,
): Promise<Answer> {
  let failed: { target: Target; error: unknown } | undefined;
  for (const target of targets) {
    if (failed && !(await leadsOn(failed.error, failed.target, target))) break;
    try {
      return await ask(target);
    } catch (error) {
      failed = { target, error };
    }
  }
  throw failed?.error;
}
