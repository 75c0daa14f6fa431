import { z } from 'zod';
import type { Exchange } from '../../record/exchange';
import { viewExchange } from '../../record/exchange-view';
import { HttpError } from '../../serving/http-error';
import { route } from './control-route';
import type { Operations } from './operations';
import { flag } from './protocol';

const contentQuerySchema = z.object({ content: flag.default(false) });

/** The flight recorder. Everything that leaves it is redacted here. */
export const debugRoutes = ({ listeners, parts }: Pick<Operations, 'listeners' | 'parts'>) => [
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
];

export function findExchange({ recorder }: Pick<Operations['listeners'], 'recorder'>, id: string): Exchange {
  const exchange = recorder.find(id);
  if (exchange) return exchange;
  throw new HttpError(404, 'no_exchange', `there is no exchange "${id}" in the flight recorder`, {
    hint: 'it has the last 200 since the daemon started; to list them: drivebay debug --last 200',
  });
}
