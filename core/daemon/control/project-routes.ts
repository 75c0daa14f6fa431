import { describeDevice } from '../project/describe-device';
import { describePlugins } from '../project/describe-plugins';
import { describeProvider } from '../project/describe-provider';
import { flag, projectQuerySchema } from './protocol';
import { ok, route } from './route';

/** About the project of a client. */
export const projectRoutes = [
  route({
    method: 'GET',
    path: '/v1/project',
    query: projectQuerySchema,
    async handle({ daemon, query }) {
      return ok((await daemon.projects.open(query)).describe());
    },
  }),
  route({
    method: 'GET',
    path: '/v1/devices',
    query: projectQuerySchema,
    async handle({ daemon, query }) {
      const { project } = await daemon.projects.open(query);
      return ok({ devices: project.devices.llms().map(describeDevice) });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/providers',
    query: projectQuerySchema.extend({ check: flag.default(false) }),
    async handle({ daemon, query }) {
      const opened = await daemon.projects.open(query);
      const { devices, plugins } = opened.project;
      if (query.check) await Promise.all(devices.llms().map((device) => device.check()));
      return ok({
        providers: devices.llms().map(describeProvider),
        plugins: describePlugins(plugins, devices.llms()),
        project: opened.describe(),
      });
    },
  }),
];
