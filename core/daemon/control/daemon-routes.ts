import { once } from 'node:events';
import { z } from 'zod';
import { reportServers, type ServerReport } from '../../devices/report-servers';
import { type LimitReport, reportLimits } from '../../limits/limit-report';
import { LATEST } from '../../record/ledger-entries';
import { UnreadCount } from '../../record/unread-lines';
import { USAGE_GROUPINGS, USAGE_SPLITS } from '../../record/usage';
import { summarizeUsage } from '../../record/usage-summary';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag } from './protocol';

/** In ms since the epoch. */
const time = z.coerce.number().min(-LATEST).max(LATEST);

export const usageQuerySchema = z.object({
  by: z.enum(USAGE_GROUPINGS).default('provider'),
  /** Gives each provider, client or model of a key a row of its own. */
  split: z.enum(USAGE_SPLITS).optional(),
  from: time.default(0),
  to: time.default(LATEST),
});

/** The sums of the ledger, with every turn that has ended. */
export async function readUsage(
  { ledger, parts }: Pick<Operations, 'ledger' | 'parts'>,
  { by, split, from, to }: z.output<typeof usageQuerySchema>,
) {
  await ledger.flush();
  const unread = new UnreadCount();
  const usage = await summarizeUsage(parts.paths.state, { by, split, from, to }, unread);
  return { by, usage, unread: unread.list() };
}

/** The limits of every open project. */
export async function readLimits({ projects, limits }: Pick<Operations, 'projects' | 'limits'>): Promise<LimitReport> {
  const open = (await projects.list()).map(({ project }) => project);
  const clients = open.flatMap((project) => project.clients ?? []);
  return reportLimits(
    limits,
    clients,
    open.flatMap(({ devices }) => devices.providers()),
  );
}

/** The tool servers of every open project. */
export async function readServers({ projects }: Pick<Operations, 'projects'>): Promise<{ servers: ServerReport[] }> {
  return { servers: reportServers((await projects.list()).map(({ project }) => project)) };
}

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
    query: usageQuerySchema.omit({ split: true }),
    handle: ({ query }) => readUsage(daemon, query),
  }),
  route({ method: 'get', path: '/v1/limits', handle: () => readLimits(daemon) }),
  route({ method: 'get', path: '/v1/tool-servers', handle: () => readServers(daemon) }),
  route({
    method: 'get',
    path: '/v1/events',
    query: z.object({ after: z.coerce.number().optional() }),
    async handle({ query: { after }, gone, stream }) {
      const lines = stream();
      for await (const batch of daemon.stream.subscribe(gone, after)) await lines.write(...batch);
      lines.end();
    },
  }),
];
