import { once } from 'node:events';
import { z } from 'zod';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag } from './protocol';
import { readUsage, usageQuerySchema } from './usage';

/** About the daemon as a whole. */
export const daemonRoutes = (daemon: Pick<Operations, 'describe' | 'stop' | 'ledger' | 'state' | 'stream'>) => [
  route({ method: 'get', path: '/v1/daemon', handle: () => daemon.describe() }),
  route({
    method: 'post',
    path: '/v1/daemon/stop',
    status: 202,
    /** `restart`: the client starts another daemon afterwards. */
    query: z.object({ restart: flag.default(false) }),
    async handle({ query, gone, stream }) {
      await stream().write({ stopping: true });
      daemon.stop(query);
      // The connection ends with the process: this tells the client that nothing of the daemon is left.
      if (!gone.aborted) await once(gone, 'abort');
    },
  }),
  route({
    method: 'get',
    path: '/v1/usage',
    query: usageQuerySchema.omit({ split: true }),
    handle: ({ query }) => readUsage(daemon.ledger, daemon.state, query),
  }),
  route({
    method: 'get',
    path: '/v1/events',
    query: z.object({ after: z.coerce.number().optional() }),
    async handle({ query: { after }, gone, stream }) {
      const lines = stream();
      for await (const batch of daemon.stream.subscribe({ after, signal: gone })) await lines.write(...batch);
      lines.end();
    },
  }),
];
