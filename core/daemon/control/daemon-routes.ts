import { once } from 'node:events';
import { z } from 'zod';
import { reportServers } from '../../devices/report-servers';
import { reportLimits } from '../../limits/limit-report';
import { LATEST } from '../../record/ledger-entries';
import { USAGE_GROUPINGS, USAGE_SPLITS } from '../../record/usage';
import { summarizeUsage } from '../../record/usage-summary';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag } from './protocol';

/** A tunnel may hide that a connection is dead: a reader finds out because the beats stop. */
const BEAT_MS = 15_000;

/** In ms since the epoch. */
const time = z.coerce.number().min(-LATEST).max(LATEST);

const openProjects = async ({ projects }: Pick<Operations, 'projects'>) =>
  (await projects.list()).map(({ project }) => project);

export const daemonRoutes = (
  daemon: Pick<Operations, 'describe' | 'stop' | 'live' | 'ledger' | 'limits' | 'projects' | 'parts' | 'stream'>,
) => [
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
    method: 'post',
    path: '/v1/reload',
    /** `dryRun`: only says what would change. */
    query: z.object({ dryRun: flag.default(false) }),
    handle: ({ query }) => daemon.live.reload(query),
  }),
  route({
    method: 'get',
    path: '/v1/usage',
    query: z.object({
      by: z.enum(USAGE_GROUPINGS).default('provider'),
      /** Gives each provider, client or model of a key a row of its own. */
      split: z.enum(USAGE_SPLITS).optional(),
      from: time.default(0),
      to: time.default(LATEST),
    }),
    async handle({ query }) {
      // With every turn that has ended.
      await daemon.ledger.flush();
      return { by: query.by, usage: await summarizeUsage(daemon.parts.paths.state, query) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/limits',
    async handle() {
      const open = await openProjects(daemon);
      const clients = open.flatMap((project) => project.clients ?? []);
      return reportLimits(
        daemon.limits,
        clients,
        open.flatMap(({ devices }) => devices.providers()),
      );
    },
  }),
  route({
    method: 'get',
    path: '/v1/tool-servers',
    handle: async () => ({ servers: reportServers(await openProjects(daemon)) }),
  }),
  route({
    method: 'get',
    path: '/v1/events',
    query: z.object({ after: z.coerce.number().optional() }),
    async handle({ query: { after }, gone, stream }) {
      const lines = stream();
      const beat = setInterval(() => lines.offer({ kind: 'beat' }), BEAT_MS).unref();
      try {
        for await (const batch of daemon.stream.subscribe(gone, after)) await lines.write(...batch);
      } finally {
        clearInterval(beat);
        lines.end();
      }
    },
  }),
];
