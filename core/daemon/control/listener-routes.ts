import { once } from 'node:events';
import { DASHBOARD_PATH } from '../../dashboard/protocol';
import { codeOf } from '../../errors';
import { createLogger } from '../../log/logger';
import { HttpError } from '../../serving/http-error';
import { route } from './control-route';
import type { Operations } from './operations';
import { endLaunched } from '../launched-programs';
import type { Listener } from '../listen/listener';
import { prepareListener } from '../listen/prepare-listener';
import { type DashboardAnswer, dashboardRequestSchema, launchedSchema, listenRequestSchema } from './protocol';

export const listenerRoutes = (
  daemon: Pick<
    Operations,
    'projects' | 'listeners' | 'openDashboard' | 'openMetrics' | 'parts' | 'isRestarting' | 'live'
  >,
) => [
  route({ method: 'get', path: '/v1/listeners', handle: () => ({ listeners: daemon.listeners.describe() }) }),
  route({
    method: 'post',
    path: '/v1/listeners',
    status: 201,
    body: listenRequestSchema,
    async handle({ body, gone, stream }) {
      const { port, watch, checks, logLevel, logFormat } = body;
      let say: (text: string) => void = () => undefined;
      const { redactor, log: daemonLog } = daemon.parts;
      const log = createLogger({ level: logLevel, format: logFormat, redactor, write: (text) => say(text) });
      const { opened, given } = await prepareListener(daemon, body, log);
      const listener = await explained(port, daemon.listeners.add(opened, given));
      daemonLog.info(`listening on port ${listener.port}`);
      const unwatch = watch ? await daemon.live.watch() : undefined;
      const lines = stream();
      void lines.write({ listening: { port: listener.port, project: opened.describe() } });
      say = (text) => lines.offer({ log: text });
      const forget = opened.log.add(log);
      void listener.checkProviders(checks).then(() => {
        log.flush();
        lines.offer({ checked: true });
      });
      let isClosing = false;
      // A client that leaves while the running answers are waited for wants the end now.
      gone.addEventListener('abort', () => isClosing && listener.abort());
      let isWanted = false;
      void listener.closing.then(() => (isWanted = true));
      await Promise.race([listener.closing, gone.aborted || once(gone, 'abort')]);
      isClosing = true;
      if (!isWanted && listener.launched) void endLaunched(listener.launched, daemon.parts.paths.state);
      await daemon.listeners.close(listener);
      daemonLog.info(`no longer listening on port ${listener.port}`);
      forget();
      unwatch?.();
      log.flush();
      await lines.write({ closed: true, restarting: daemon.isRestarting });
      lines.end();
    },
  }),
  route({
    method: 'post',
    path: '/v1/listeners/:id/program',
    body: launchedSchema,
    handle({ id, body }) {
      findListener(daemon, id).launched = body;
      return { port: Number(id) };
    },
  }),
  route({
    method: 'delete',
    path: '/v1/listeners/:id',
    async handle({ id }) {
      const listener = findListener(daemon, id);
      await daemon.listeners.close(listener);
      return { port: listener.port };
    },
  }),
  route({
    method: 'post',
    path: '/v1/dashboard',
    body: dashboardRequestSchema,
    async handle({ body: { project, port } }): Promise<DashboardAnswer> {
      const opened = await daemon.projects.open(project);
      const { access } = await daemon.openDashboard();
      const listening = daemon.listeners.forDashboard(opened, { port, log: daemon.parts.log });
      const listener = await explained(port ?? 0, listening);
      const url = `http://127.0.0.1:${listener.port}${DASHBOARD_PATH}/`;
      return { url, token: access.token, ticket: access.makeTicket() };
    },
  }),
];

function findListener({ listeners }: Pick<Operations, 'listeners'>, id: string): Listener {
  const listener = listeners.find(Number(id));
  if (!listener) throw new HttpError(404, 'no_listener', `the daemon does not listen on port ${id}`);
  return listener;
}

async function explained<T>(port: number, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new HttpError(409, 'port_taken', `port ${port} is taken`);
    if (codeOf(error) === 'EACCES') throw new HttpError(403, 'port_forbidden', `port ${port} needs more rights`);
    throw error;
  }
}
