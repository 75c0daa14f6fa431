import { z } from 'zod';
import { composeRequestSchema } from '../../agents/compose/compose-request';
import type { AgentProject } from '../../agents/agent-project';
import { spawnRequestSchema } from '../../agents/spawn-request';
import { HttpError } from '../../serving/http-error';
import { ClientProject } from '../clients/client-project';
import type { OpenedProject } from '../project/opened-project';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag, projectRefSchema } from './protocol';

const attached = { project: projectRefSchema, attach: z.boolean().default(false) };

function agentProject(opened: OpenedProject, client: string | undefined): AgentProject {
  return client === undefined ? opened : new ClientProject(opened.project, client).forAgents(opened);
}

/** About agent processes, those that run and the records of all others, and about runs of compose files. */
export const processRoutes = (daemon: Pick<Operations, 'agents' | 'projects'>) => [
  route({
    method: 'post',
    path: '/v1/processes',
    status: 201,
    /** `client`: the client of the gateway that asks. */
    body: spawnRequestSchema.extend(attached).extend({ client: z.string().optional() }),
    async handle({ body: { project, attach, ...request }, depth, whenAbandoned, stream }) {
      const asked = { ...request, depth: depth() };
      const opened = await daemon.projects.open(project);
      const agents = await daemon.agents();
      const process = await agents.start(agentProject(opened, request.client), asked);
      const { pid, uuid } = process.view;
      if (!attach) return { pid, uuid };
      whenAbandoned(() => process.kill('client_gone'));
      return stream().writeAll(process.events());
    },
  }),
  route({
    method: 'get',
    path: '/v1/processes',
    query: z.object({
      all: flag.default(false),
      /** Adds those that have ended and are not in the index on disk yet: for clients that read the index themselves. */
      unwritten: flag.default(false),
    }),
    async handle({ query }) {
      const agents = await daemon.agents();
      return { processes: query.all ? await agents.list() : agents.current(query) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/processes/:id',
    handle: async ({ id }) => (await daemon.agents()).view(id),
  }),
  route({
    method: 'get',
    path: '/v1/processes/:id/events',
    query: z.object({
      from: z.coerce.number().int().min(0).default(0),
      follow: flag.default(false),
    }),
    async handle({ id, query, gone, stream }) {
      const agents = await daemon.agents();
      const events = await agents.events(id, { ...query, signal: gone });
      return stream().writeAll(events, gone);
    },
  }),
  route({
    method: 'post',
    path: '/v1/processes/:id/kill',
    status: 202,
    handle: async ({ id }) => (await daemon.agents()).kill(id),
  }),
  route({
    method: 'get',
    path: '/v1/processes/:id/wait',
    handle: async ({ id }) => (await daemon.agents()).ended(id),
  }),
  route({
    method: 'post',
    path: '/v1/compose',
    status: 201,
    body: composeRequestSchema.extend(attached),
    async handle({ body: { project, attach, ...request }, depth, whenAbandoned, stream }) {
      const asked = { ...request, depth: depth() };
      const opened = await daemon.projects.open(project);
      const { compose } = await daemon.agents();
      const run = compose.up(opened, asked);
      const { name, file } = run.view;
      if (!attach) return { name, file };
      whenAbandoned(() => run.down('client_gone'));
      const lines = stream();
      await lines.write({ type: 'started', name, file });
      return lines.writeAll(run.events());
    },
  }),
  route({
    method: 'get',
    path: '/v1/compose',
    handle: async () => ({ runs: (await daemon.agents()).compose.list() }),
  }),
  route({
    method: 'post',
    path: '/v1/compose/:id/down',
    async handle({ id }) {
      const { compose } = await daemon.agents();
      const run = compose.find(id);
      if (!run) {
        throw new HttpError(404, 'no_compose', `compose "${id}" does not run`, { hint: 'see: drivebay compose ps' });
      }
      run.down();
      await run.ended;
      return run.view;
    },
  }),
];
