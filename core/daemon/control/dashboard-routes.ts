import { DASHBOARD_PATH } from '../../dashboard/protocol';
import { route } from './control-route';
import { explainPort } from './listener-routes';
import type { Operations } from './operations';
import { type DashboardAnswer, dashboardRequestSchema } from './protocol';

/** About the dashboard. */
export const dashboardRoutes = (daemon: Pick<Operations, 'projects' | 'listeners' | 'openDashboard' | 'log'>) => [
  route({
    method: 'post',
    path: '/v1/dashboard',
    body: dashboardRequestSchema,
    async handle({ body: { project, port } }): Promise<DashboardAnswer> {
      const opened = await daemon.projects.open(project);
      const { access } = await daemon.openDashboard();
      const listener = await daemon.listeners
        .forDashboard(opened, { port, log: daemon.log })
        .catch((error: unknown) => {
          throw explainPort(error, port ?? 0);
        });
      const url = `http://127.0.0.1:${listener.port}${DASHBOARD_PATH}/`;
      return { url, token: access.token, ticket: access.makeTicket() };
    },
  }),
];
