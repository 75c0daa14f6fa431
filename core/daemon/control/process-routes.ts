import { z } from 'zod';
import { spawnRequestSchema } from '../../agents/spawn-request';
import type { ProcessView } from '../../record/process-view';
import { summarize } from '../../record/process-summary';
import { readProcess } from '../../record/read-processes';
import type { Agents } from '../agents';
import { findRecorded, type RecordedProcess } from './recorded-process';
import { RefusedError } from './control-error';
import { flag, projectRefSchema } from './protocol';
import { ok, route } from './route';

const eventsQuery = z.object({
  /** The number of the first event wanted. */
  from: z.coerce.number().int().min(0).default(0),
  follow: flag.default(false),
});

/** About agent processes, those that run and the records of all others. */
export const processRoutes = [
  route({
    method: 'POST',
    path: '/v1/processes',
    body: spawnRequestSchema.extend({ project: projectRefSchema, attach: z.boolean().default(false) }),
    async handle({ daemon, body: { project: ref, attach, ...request }, gone, isAbandoned, stream }) {
      const { table } = await daemon.agents();
      const { agentProject } = await daemon.projects.open(ref);
      const process = table.spawn(agentProject, request);
      if (!attach) return { status: 201, body: { pid: process.view.pid, uuid: process.view.uuid } };
      const leave = () => isAbandoned() && process.kill('client_gone');
      gone.addEventListener('abort', leave);
      leave();
      const lines = stream(201);
      for await (const event of process.events()) await lines.write(event);
      lines.end();
      return undefined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/processes',
    query: z.object({
      /** Those that have ended, too. */
      all: flag.default(false),
      /** Of those that have ended the ones that are not in the index on disk yet: for clients that read it themselves. */
      unwritten: flag.default(false),
    }),
    async handle({ daemon, query: { all, unwritten } }) {
      const { store } = await daemon.agents();
      const inMemory = () => (unwritten ? store.unwritten() : store.running()).map(({ view }) => summarize(view));
      return ok({ processes: all ? store.list() : inMemory() });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/processes/:id',
    async handle({ daemon, id }) {
      const agents = await daemon.agents();
      const living = agents.table.find(idOf(id));
      return ok(living ? living.view : await viewOf(agents, daemon.parts.paths.state, id));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/processes/:id/events',
    query: eventsQuery,
    async handle({ daemon, id, query: { from, follow }, gone, stream }) {
      const agents = await daemon.agents();
      const { state } = daemon.parts.paths;
      const living = follow ? agents.table.find(idOf(id)) : undefined;
      const events = living ? living.events(from, gone) : recordOf(agents, state, id).events();
      const lines = stream();
      for await (const event of events) {
        if (gone.aborted) break;
        if (event.seq >= from) await lines.write(event);
      }
      lines.end();
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/processes/:id/kill',
    async handle({ daemon, id }) {
      const agents = await daemon.agents();
      const living = agents.table.find(idOf(id));
      if (!living) {
        const view = await viewOf(agents, daemon.parts.paths.state, id);
        const message = view.end
          ? `process ${view.pid} has ended already (${view.end.state})`
          : `process ${view.pid} belongs to another daemon`;
        throw new RefusedError(409, 'not_running', message);
      }
      living.kill('killed');
      return { status: 202, body: { pid: living.view.pid, uuid: living.view.uuid } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/processes/:id/wait',
    async handle({ daemon, id }) {
      const agents = await daemon.agents();
      const living = agents.table.find(idOf(id));
      await living?.ended;
      return ok(living ? living.view : await viewOf(agents, daemon.parts.paths.state, id));
    },
  }),
];

function idOf(id: string): number | string {
  return /^\d+$/.test(id) ? Number(id) : id;
}

function recordOf(agents: Agents, state: string, id: string): RecordedProcess {
  const found = findRecorded(agents, state, idOf(id));
  if (!found) throw noProcess(id);
  return found;
}

async function viewOf(agents: Agents, state: string, id: string): Promise<ProcessView> {
  const { pid, record } = recordOf(agents, state, id);
  const view = record?.view ?? (await readProcess(state, pid))?.view;
  if (!view) throw noProcess(id);
  return view;
}

function noProcess(id: string): RefusedError {
  return new RefusedError(404, 'no_process', `there is no process ${id}`, 'see: drivebay ps -a');
}
