import { z } from 'zod';
import type { Exchange } from '../../record/exchange';
import { viewExchange } from '../../record/exchange-view';
import { HttpError } from '../../serving/http-error';
import { makeFixture } from '../debug/make-fixture';
import { recordedChat } from '../debug/recorded-chat';
import { replay } from '../debug/replay';
import { chosenDevice } from './chat-routes';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag, projectRefSchema } from './protocol';

const contentQuerySchema = z.object({ content: flag.default(false) });

const replaySchema = z.object({
  project: projectRefSchema,
  /** Absent: the provider or route that was asked before, for the same model. */
  provider: z.string().optional(),
  model: z.string().max(200).optional(),
  content: z.boolean().default(false),
});

/** The flight recorder. Everything that leaves it is redacted here. */
export const debugRoutes = ({
  listeners,
  parts,
  projects,
  stream,
}: Pick<Operations, 'listeners' | 'parts' | 'projects' | 'stream'>) => [
  route({
    method: 'get',
    path: '/v1/exchanges',
    query: z.object({ last: z.coerce.number().int().min(0).default(20) }),
    handle: ({ query: { last } }) => ({
      exchanges: listeners.recorder.last(last).map((each) => parts.redactor.redactData(viewExchange(each, false))),
    }),
  }),
  route({
    method: 'get',
    path: '/v1/exchanges/:id',
    query: contentQuerySchema,
    handle: ({ id, query: { content } }) =>
      parts.redactor.redactData(viewExchange(findExchange(listeners, id), content)),
  }),
  route({
    method: 'get',
    path: '/v1/exchanges/:id/fixture',
    handle({ id }) {
      const exchange = findExchange(listeners, id);
      return parts.redactor.redactData(makeFixture(exchange, recordedChat(exchange, parts)));
    },
  }),
  route({
    method: 'post',
    path: '/v1/exchanges/:id/replay',
    body: replaySchema,
    async handle({ id, body: { project: ref, content: withContent, ...asked }, gone }) {
      const exchange = findExchange(listeners, id);
      const chat = recordedChat(exchange, parts);
      const { project } = await projects.open(ref);
      const route = exchange.end?.route;
      const last = exchange.asks.at(-1);
      const before = route === undefined ? { provider: last?.provider, model: last?.model } : { provider: route };
      const { device, model } = chosenDevice(project, asked.provider ? asked : { ...before, ...asked });
      const { root } = project;
      return parts.redactor.redactData(
        await replay(exchange, chat, { device, model: model || undefined, project: root, stream, gone, withContent }),
      );
    },
  }),
];

function findExchange({ recorder }: Pick<Operations['listeners'], 'recorder'>, id: string): Exchange {
  const exchange = recorder.find(id);
  if (exchange) return exchange;
  throw new HttpError(404, 'no_exchange', `no request with the id "${id}" is kept`, {
    hint: 'the last 200 since the daemon started are; to list them: drivebay debug --last 200',
  });
}
