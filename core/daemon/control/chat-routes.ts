import type { Message } from '../../contract/api';
import type { LlmDevice } from '../../devices/device';
import { chatDirectly } from '../../devices/direct-chat';
import { UsageError } from '../../errors';
import { type ModelRoute, refuseKey, routeFreely } from '../../gateway/route-model';
import type { Project } from '../project/project';
import { ClientProject } from '../clients/client-project';
import { type ChatLine, type ChatMessage, type UserChat, userChatSchema } from './chat-protocol';
import { route } from './control-route';
import type { Operations } from './operations';

export const chatRoutes = ({ projects, stream: events }: Pick<Operations, 'projects' | 'stream'>) => [
  route({
    method: 'post',
    path: '/v1/chat',
    body: userChatSchema,
    async handle({ body: { project: ref, asker: type, client, messages, ...asked }, depth: depthOf, gone, stream }) {
      const depth = depthOf();
      const { project } = await projects.open(ref);
      const { device, model } = findDevice(project, client, asked);
      const used = model || device.defaultModel;
      if (used === undefined && device.driverKind === 'http') throw noModel(device, asked.name !== undefined);
      const lines = stream();
      const write = (line: ChatLine) => lines.write(line);
      await write({ type: 'start', provider: device.name, model: used });
      await chatDirectly({
        device,
        messages: messages.map(toMessage),
        model: model || undefined,
        asker: type === 'mcp' && client !== undefined ? { type, client } : { type },
        depth,
        project: project.root,
        stream: events,
        gone,
        write,
      });
      lines.end();
    },
  }),
];

function toMessage({ role, content }: ChatMessage): Message {
  return { role, parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content };
}

function findDevice(
  project: Project,
  client: string | undefined,
  asked: Pick<UserChat, 'name' | 'provider' | 'model'>,
): ModelRoute {
  for (const name of [asked.name, asked.model]) refuseKey(name ?? '', project.devices);
  if (client !== undefined) return new ClientProject(project, client).route(asked.name ?? '');
  return asked.name ? deviceByName(project, asked.name) : chosenDevice(project, asked);
}

/** As the gateway finds it. A default provider that is not among the devices has its name, too. */
function deviceByName({ devices, standard, defaultProvider }: Project, name: string): ModelRoute {
  return standard?.device.name === name ? standard : routeFreely(name, devices, defaultProvider);
}

/** Throws a UsageError where there is none. */
export function chosenDevice(
  { devices, standard }: Project,
  { provider: name, model }: { provider?: string; model?: string },
): ModelRoute {
  if (!name) {
    if (standard) return { device: standard.device, model };
    const names = devices.llms().map((device) => device.name);
    throw new UsageError('no provider is chosen', `use --provider NAME (providers: ${names.join(', ')})`);
  }
  // The standard provider need not be among the devices.
  const isStandard = standard?.device.name === name && !devices.llm(name);
  return { device: isStandard ? standard.device : devices.need(name), model };
}

function noModel({ name }: LlmDevice, isByName: boolean): UsageError {
  const how = isByName ? `as ${name}:MODEL` : 'with --model, or /model in a chat';
  return new UsageError(
    `provider "${name}" has no default_model`,
    `name a model ${how}, or set default_model in providers.yaml; its models: drivebay models ${name}`,
  );
}
