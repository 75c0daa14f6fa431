import { composeRoutes } from './compose-routes';
import type { ControlRoute } from './control-route';
import { daemonRoutes } from './daemon-routes';
import { dashboardRoutes } from './dashboard-routes';
import { listenerRoutes } from './listener-routes';
import type { Operations } from './operations';
import { processRoutes } from './process-routes';
import { projectRoutes } from './project-routes';

/** The whole control API. docs/control-api.md describes each route. */
export function controlRoutes(daemon: Operations): ControlRoute[] {
  return [
    ...daemonRoutes(daemon),
    ...projectRoutes(daemon),
    ...processRoutes(daemon),
    ...composeRoutes(daemon),
    ...listenerRoutes(daemon),
    ...dashboardRoutes(daemon),
  ];
}
