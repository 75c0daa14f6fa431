import { isPattern, type RouteEntry } from '../config/routes';
import { changedFacts, type Facts, factsOf, type Made } from '../providers/facts';
import type { LlmDevice } from './device';
import { Route } from './route';

/**
 * Makes the routes of a configuration that has no mistake. A target may be a route that comes later. A route from before a reload
 * is kept where it and all of its targets stay the same.
 */
export function buildRoutes(
  entries: readonly RouteEntry[],
  providers: readonly LlmDevice[],
  earlier: ReadonlyMap<string, Made<Route>> = new Map(),
): Made<Route>[] {
  const named = new Map<string, LlmDevice>(providers.map((device) => [device.name, device]));
  const facts = new Map(entries.map((entry) => [entry.name, routeFacts(entry)]));
  const kept = keptRoutes(facts, named, earlier);
  const made = entries.map(({ name, order, timeoutSec }) => {
    return { device: kept.get(name) ?? new Route(name, order, timeoutSec), facts: facts.get(name)! };
  });
  for (const { device } of made) if (!isPattern(device.name)) named.set(device.name, device);
  for (const [index, { name, targets }] of entries.entries()) {
    if (kept.has(name)) continue;
    made[index]!.device.lead(targets.map((target) => ({ ...target, device: named.get(target.name)! })));
  }
  return made;
}

function routeFacts({ order, timeoutSec: timeout_sec, targets }: RouteEntry): Facts {
  return factsOf({ order, timeout_sec, targets });
}

/** A route in which a target is another device now cannot stay, and so neither can a route to it. */
function keptRoutes(
  facts: ReadonlyMap<string, Facts>,
  providers: ReadonlyMap<string, LlmDevice>,
  earlier: ReadonlyMap<string, Made<Route>>,
): Map<string, Route> {
  const kept = new Map<string, Route>();
  for (const [name, { device, facts: before }] of earlier) {
    const now = facts.get(name);
    if (now && changedFacts(before, now).length === 0) kept.set(name, device);
  }
  const deviceAt = (name: string) => providers.get(name) ?? kept.get(name);
  const isStale = ({ targets }: Route) => targets.some(({ name, device }) => deviceAt(name) !== device);
  for (let stale = [...kept.values()].find(isStale); stale; stale = [...kept.values()].find(isStale)) {
    kept.delete(stale.name);
  }
  return kept;
}
