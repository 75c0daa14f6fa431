import { isPattern, type RouteEntry } from '../config/routes';
import type { LlmDevice } from './device';
import { Route } from './route';

/** Makes the routes of a configuration that has no mistake. A target may be a route that comes later. */
export function buildRoutes(entries: readonly RouteEntry[], providers: readonly LlmDevice[]): Route[] {
  const routes = entries.map(({ name, order, timeoutSec }) => new Route(name, order, timeoutSec));
  const named = new Map<string, LlmDevice>(providers.map((device) => [device.name, device]));
  for (const route of routes) if (!isPattern(route.name)) named.set(route.name, route);
  for (const [index, { targets }] of entries.entries()) {
    routes[index]!.lead(targets.map((target) => ({ ...target, device: named.get(target.name)! })));
  }
  return routes;
}
