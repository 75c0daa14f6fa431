import { z } from 'zod';
import { describeModels } from '../../devices/describe-models';
import { rememberModels } from '../../devices/known-models';
import { describePlugins } from '../project/describe-plugins';
import { checkProvider, describeDevice, describeProvider, describeServer } from '../../devices/describe-device';
import { readKeptMemory } from '../../devices/describe-kept';
import type { Project } from '../project/project';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag, projectQuerySchema, projectRefSchema } from './protocol';

/** `provider`: only this one. */
const oneProviderQuery = projectQuerySchema.extend({ provider: z.string().optional() });

const asked = ({ devices }: Project, provider: string | undefined) =>
  devices.llms().filter(({ name }) => provider === undefined || name === provider);

export const projectRoutes = ({ projects }: Pick<Operations, 'projects'>) => [
  route({
    method: 'get',
    path: '/v1/project',
    query: projectQuerySchema,
    handle: async ({ query }) => (await projects.open(query)).describe(),
  }),
  route({
    method: 'post',
    path: '/v1/project/variables',
    body: z.object({ project: projectRefSchema, variables: z.record(z.string(), z.string()) }),
    handle: async ({ body }) => (await projects.bring(body.project, body.variables)).describe(),
  }),
  route({
    method: 'get',
    path: '/v1/devices',
    query: projectQuerySchema,
    async handle({ query }) {
      const { project } = await projects.open(query);
      return { devices: project.devices.llms().map(describeDevice), servers: project.toolServers.map(describeServer) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/models',
    query: oneProviderQuery,
    async handle({ query: { provider, ...ref } }) {
      const opened = await projects.open(ref);
      const reports = await Promise.all(asked(opened.project, provider).map(describeModels));
      await rememberModels(opened.project.paths.cache, reports);
      return { providers: reports };
    },
  }),
  route({
    method: 'post',
    path: '/v1/providers/wake',
    body: z.object({ project: projectRefSchema, provider: z.string() }),
    async handle({ body: { project: ref, provider } }) {
      const { project } = await projects.open(ref);
      return { ended: project.devices.need(provider).wake() };
    },
  }),
  route({
    method: 'get',
    path: '/v1/providers',
    query: oneProviderQuery.extend({ check: flag.default(false), diagnose: flag.default(false) }),
    async handle({ query: { provider, ...query } }) {
      const opened = await projects.open(query);
      const devices = asked(opened.project, provider);
      if (query.check && !query.diagnose) await Promise.all(devices.map((device) => device.check()));
      const memory = await readKeptMemory(devices);
      return {
        providers: query.diagnose
          ? await Promise.all(devices.map(checkProvider))
          : devices.map((device) => describeProvider(device, memory)),
        plugins: describePlugins(opened.project.plugins, devices),
        project: opened.describe(),
      };
    },
  }),
];
