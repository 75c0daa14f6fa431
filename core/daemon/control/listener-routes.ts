import { codeOf } from '../../errors';
import { createLogger } from '../../log/logger';
import { HttpError } from '../../serving/http-error';
import { route } from './control-route';
import type { Operations } from './operations';
import { listenRequestSchema } from './protocol';

/** About gateways of the daemon. */
export const listenerRoutes = (
  daemon: Pick<Operations, 'projects' | 'listeners' | 'redactor' | 'log' | 'isRestarting'>,
) => [
  route({ method: 'get', path: '/v1/listeners', handle: () => ({ listeners: daemon.listeners.describe() }) }),
  route({
    method: 'post',
    path: '/v1/listeners',
    status: 201,
    body: listenRequestSchema,
    async handle({ body, gone, stream }) {
      const { project, port, allowHosts, allowOrigins, apiKeyHash, apiKeyEnv, logLevel, logFormat } = body;
      if (apiKeyEnv) daemon.projects.hide(apiKeyEnv);
      const opened = await daemon.projects.open(project);
      let say: (text: string) => void = () => undefined;
      const { redactor } = daemon;
      const log = createLogger({ level: logLevel, format: logFormat, redactor, write: (text) => say(text) });
      const keyDigest = apiKeyHash === undefined ? undefined : Buffer.from(apiKeyHash, 'hex');
      const access = { allowHosts, allowOrigins, keyDigest };
      const listener = await daemon.listeners.add(opened, { port, access, log }).catch((error: unknown) => {
        throw explainPort(error, port);
      });
      daemon.log.info(`listening on port ${port}`);
      const lines = stream();
      void lines.write({ listening: { port, project: opened.describe() } });
      say = (text) => lines.offer({ log: text });
      const forget = opened.log.add(log);
      void listener.checkProviders();
      let isClosing = false;
      // A client that leaves while the running answers are waited for wants the end now.
      gone.addEventListener('abort', () => isClosing && listener.abort());
      await listener.untilClosing(gone);
      isClosing = true;
      await daemon.listeners.close(listener);
      daemon.log.info(`no longer listening on port ${port}`);
      forget();
      log.flush();
      await lines.write({ closed: true, restarting: daemon.isRestarting });
      lines.end();
    },
  }),
  route({
    method: 'delete',
    path: '/v1/listeners/:id',
    async handle({ id }) {
      const listener = daemon.listeners.find(Number(id));
      if (!listener) throw new HttpError(404, 'no_listener', `the daemon does not listen on port ${id}`);
      listener.requestClose();
      await listener.closed;
      return { port: listener.port };
    },
  }),
];

/** Why a port cannot be had. */
export function explainPort(error: unknown, port: number): unknown {
  if (codeOf(error) === 'EADDRINUSE') return new HttpError(409, 'port_taken', `port ${port} is taken`);
  if (codeOf(error) === 'EACCES') return new HttpError(403, 'port_forbidden', `port ${port} needs more rights`);
  return error;
}
