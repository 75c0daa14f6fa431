import type { Examined } from './sighting';

/** The route that `init` offers. */
export const AUTO = 'auto';

/**
 * The targets of the route over everything that answers, in the order of `good`. Undefined where there is no choice, or where
 * the name is taken.
 */
export function autoTargets(
  good: readonly Examined[],
  found: readonly Examined[],
  taken: ReadonlySet<string>,
): string[] | undefined {
  const isTaken = taken.has(AUTO) || found.some(({ sighting }) => sighting.provider.name === AUTO);
  return good.length < 2 || isTaken ? undefined : good.map(({ sighting }) => sighting.provider.name);
}
