import { describePlugins } from '../project/describe-plugins';
import { describeDevice, describeProvider } from '../../devices/describe-device';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag, projectQuerySchema } from './protocol';

export const projectRoutes = ({ projects }: Pick<Operations, 'projects'>) => [
  route({
    method: 'get',
    path: '/v1/project',
    query: projectQuerySchema,
    handle: async ({ query }) => (await projects.open(query)).describe(),
  }),
  route({
    method: 'get',
    path: '/v1/devices',
    query: projectQuerySchema,
    async handle({ query }) {
      const { project } = await projects.open(query);
      return { devices: project.devices.llms().map(describeDevice) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/providers',
    query: projectQuerySchema.extend({ check: flag.default(false) }),
    async handle({ query }) {
      const opened = await projects.open(query);
      const devices = opened.project.devices.llms();
      if (query.check) await Promise.all(devices.map((device) => device.check()));
      return {
        providers: devices.map(describeProvider),
        plugins: describePlugins(opened.project.plugins, devices),
        project: opened.describe(),
      };
    },
  }),
];
