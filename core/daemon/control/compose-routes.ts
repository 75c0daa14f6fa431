import { z } from 'zod';
import { composeRequestSchema } from '../../agents/compose/compose-request';
import { RefusedError } from './control-error';
import { projectRefSchema } from './protocol';
import { ok, route } from './route';

/** About runs of compose files. */
export const composeRoutes = [
  route({
    method: 'POST',
    path: '/v1/compose',
    body: composeRequestSchema.extend({ project: projectRefSchema, attach: z.boolean().default(false) }),
    async handle({ daemon, body: { project: ref, attach, ...request }, gone, isAbandoned, stream }) {
      const { compose } = await daemon.agents();
      const { agentProject } = await daemon.projects.open(ref);
      const run = compose.up(agentProject, request);
      const { name, file } = run.view;
      if (!attach) return { status: 201, body: { name, file } };
      const leave = () => isAbandoned() && run.down('client_gone');
      gone.addEventListener('abort', leave);
      leave();
      const lines = stream(201);
      await lines.write({ type: 'started', name, file });
      for await (const event of run.events()) await lines.write(event);
      lines.end();
      return undefined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/compose',
    handle: async ({ daemon }) => ok({ runs: (await daemon.agents()).compose.list() }),
  }),
  route({
    method: 'POST',
    path: '/v1/compose/:id/down',
    async handle({ daemon, id }) {
      const run = (await daemon.agents()).compose.find(id);
      if (!run) throw new RefusedError(404, 'no_compose', `compose "${id}" does not run`, 'see: drivebay compose ps');
      run.down();
      await run.ended;
      return ok(run.view);
    },
  }),
];
