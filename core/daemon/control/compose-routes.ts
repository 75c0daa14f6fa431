import { z } from 'zod';
import { composeRequestSchema } from '../../agents/compose/compose-request';
import { HttpError } from '../../serving/http-error';
import { route } from './control-route';
import type { Operations } from './operations';
import { projectRefSchema } from './protocol';

/** About runs of compose files. */
export const composeRoutes = (daemon: Pick<Operations, 'agents' | 'projects'>) => [
  route({
    method: 'post',
    path: '/v1/compose',
    status: 201,
    body: composeRequestSchema.extend({ project: projectRefSchema, attach: z.boolean().default(false) }),
    async handle({ body: { project, attach, ...request }, whenAbandoned, stream }) {
      const { agentProject } = await daemon.projects.open(project);
      const { compose } = await daemon.agents();
      const run = compose.up(agentProject, request);
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
