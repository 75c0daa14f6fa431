import { once } from 'node:events';
import { z } from 'zod';
import { summarizeUsage, USAGE_GROUPINGS } from '../../record/usage-summary';
import { flag } from './protocol';
import { ok, route } from './route';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a date can be. */
const time = z.coerce.number().min(-8.64e15).max(8.64e15);

const usageQuery = z.object({
  by: z.enum(USAGE_GROUPINGS).default('provider'),
  /** Milliseconds since the epoch. */
  from: time.default(0),
  to: time.optional(),
});

/** About the daemon as a whole. */
export const daemonRoutes = [
  route({
    method: 'GET',
    path: '/v1/daemon',
    handle: async ({ daemon }) => ok(daemon.describe(await daemon.count())),
  }),
  route({
    method: 'POST',
    path: '/v1/daemon/stop',
    /** `restart`: the client starts another one afterwards. */
    query: z.object({ restart: flag.default(false) }),
    async handle({ daemon, query: { restart }, gone, stream }) {
      const lines = stream(202);
      await lines.write({ stopping: true });
      daemon.isRestarting = restart;
      daemon.requestStop();
      // The connection ends with the daemon: then its client knows that everything is over.
      if (!gone.aborted) await once(gone, 'abort');
      return undefined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/usage',
    query: usageQuery,
    async handle({ daemon, query: { by, from, to = Date.now() + DAY_MS } }) {
      await daemon.ledger.flush();
      return ok({ by, usage: await summarizeUsage(daemon.parts.paths.state, { by, from, to }) });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/events',
    query: z.object({ after: z.coerce.number().optional() }),
    async handle({ daemon, query: { after }, gone, stream }) {
      const lines = stream();
      const options = { signal: gone, ...(after !== undefined && { after }) };
      for await (const batch of daemon.stream.subscribe(options)) await lines.write(...batch);
      lines.end();
      return undefined;
    },
  }),
];
