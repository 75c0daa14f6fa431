import { codeOf } from '../../errors';
import { createLogger } from '../../log/logger';
import { RefusedError } from './control-error';
import { listenRequestSchema } from './protocol';
import { ok, route } from './route';

/** About gateways of the daemon. */
export const listenerRoutes = [
  route({
    method: 'GET',
    path: '/v1/listeners',
    handle: ({ daemon }) => Promise.resolve(ok({ listeners: daemon.describe().listeners })),
  }),
  route({
    method: 'POST',
    path: '/v1/listeners',
    body: listenRequestSchema,
    async handle({ daemon, body, gone, stream }) {
      const { project, port, allowHosts, allowOrigins, apiKeyHash, apiKeyEnv, logLevel, logFormat } = body;
      if (apiKeyEnv) daemon.projects.hide(apiKeyEnv);
      const opened = await daemon.projects.open(project);
      let say: (text: string) => void = () => undefined;
      const { redactor, log: daemonLog } = daemon.parts;
      const log = createLogger({ level: logLevel, format: logFormat, redactor, write: (text) => say(text) });
      const keyDigest = apiKeyHash === undefined ? {} : { keyDigest: Buffer.from(apiKeyHash, 'hex') };
      const access = { allowHosts, allowOrigins, ...keyDigest };
      const listener = await daemon.listeners
        .add(opened, { port, access, log, stream: daemon.stream, mount: daemon.dashboard })
        .catch((error: unknown) => {
          throw explainPort(error, port);
        });
      daemonLog.info(`listening on port ${port}`);
      const lines = stream(201);
      void lines.write({ listening: { port, project: opened.describe() } });
      say = (text) => lines.offer({ log: text });
      const forget = opened.log.add(log);
      void listener.checkProviders();
      let isClosing = false;
      // The client left while running answers were waited for: it wants the end now.
      gone.addEventListener('abort', () => isClosing && listener.abort());
      await listener.untilClosing(gone);
      isClosing = true;
      await daemon.listeners.close(listener);
      daemonLog.info(`no longer listening on port ${port}`);
      forget();
      log.flush();
      await lines.write({ closed: true, restarting: daemon.isRestarting });
      lines.end();
      return undefined;
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/listeners/:id',
    async handle({ daemon, id }) {
      const listener = daemon.listeners.find(Number(id));
      if (!listener) throw new RefusedError(404, 'no_listener', `the daemon does not listen on port ${id}`);
      listener.requestClose();
      await listener.closed;
      return ok({ port: listener.port });
    },
  }),
];

/** Why a port cannot be had. */
export function explainPort(error: unknown, port: number): unknown {
  if (codeOf(error) === 'EADDRINUSE') return new RefusedError(409, 'port_taken', `port ${port} is taken`);
  if (codeOf(error) === 'EACCES') return new RefusedError(403, 'port_forbidden', `port ${port} needs more rights`);
  return error;
}
