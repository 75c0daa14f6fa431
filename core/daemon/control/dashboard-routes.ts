import { DASHBOARD_PATH } from '../../dashboard/paths';
import { explainPort } from './listener-routes';
import { type DashboardAnswer, dashboardRequestSchema } from './protocol';
import { ok, route } from './route';

/** About the page for people who look. */
export const dashboardRoutes = [
  route({
    method: 'POST',
    path: '/v1/dashboard',
    body: dashboardRequestSchema,
    async handle({ daemon, body: { project: ref, port } }) {
      const opened = await daemon.projects.open(ref);
      const { access } = daemon.dashboard.open();
      const listener = await daemon.dashboard.listener(opened, port).catch((error: unknown) => {
        throw explainPort(error, port ?? 0);
      });
      const url = `http://127.0.0.1:${listener.port}${DASHBOARD_PATH}/`;
      return ok({ url, token: access.token, ticket: access.makeTicket() } satisfies DashboardAnswer);
    },
  }),
];
