import { composeRoutes } from './compose-routes';
import { dashboardRoutes } from './dashboard-routes';
import { daemonRoutes } from './daemon-routes';
import { listenerRoutes } from './listener-routes';
import { processRoutes } from './process-routes';
import { projectRoutes } from './project-routes';
import type { Route } from './route';

/** The whole control API. docs/control-api.md describes each of them. */
export const routes: readonly Route[] = [
  ...daemonRoutes,
  ...projectRoutes,
  ...processRoutes,
  ...composeRoutes,
  ...listenerRoutes,
  ...dashboardRoutes,
];
