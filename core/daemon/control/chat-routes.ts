import { suggestProvider } from '../../config/did-you-mean';
import type { LlmDevice } from '../../devices/device';
import { chatDirectly } from '../../devices/direct-chat';
import { UsageError } from '../../errors';
import type { Project } from '../project/project';
import { route } from './control-route';
import type { Operations } from './operations';
import { type ChatLine, chatRequestSchema } from './protocol';

export const chatRoutes = ({ projects, stream: events }: Pick<Operations, 'projects' | 'stream'>) => [
  route({
    method: 'post',
    path: '/v1/chat',
    body: chatRequestSchema,
    async handle({ body: { project: ref, provider, model, messages }, gone, stream }) {
      const { project } = await projects.open(ref);
      const device = deviceFor(project, provider);
      const used = model || device.defaultModel;
      if (used === undefined && device.driverKind === 'http') throw noModel(device);
      const lines = stream();
      const write = (line: ChatLine) => lines.write(line);
      await write({ type: 'start', provider: device.name, model: used });
      await chatDirectly({
        device,
        messages: messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', text: content }] })),
        model: model || undefined,
        asker: { type: 'chat' },
        project: project.root,
        stream: events,
        gone,
        write,
      });
      lines.end();
    },
  }),
];

function deviceFor({ devices, standard }: Project, name: string | undefined): LlmDevice {
  const names = devices.llms().map((device) => device.name);
  if (!name) {
    if (standard) return standard.device;
    throw new UsageError('no provider is chosen', `use --provider NAME (providers: ${names.join(', ')})`);
  }
  const device = devices.llm(name) ?? (standard?.device.name === name ? standard.device : undefined);
  if (device) return device;
  throw new UsageError(`there is no provider "${name}"`, suggestProvider(name, names));
}

function noModel({ name }: LlmDevice): UsageError {
  return new UsageError(
    `provider "${name}" has no default_model`,
    'name a model with --model, or /model in a chat, or set default_model in providers.yaml',
  );
}
