import type { Dialect } from '../../dialect';
import { routeFreely } from '../../route-model';
import { StreamedChat } from '../../streamed-chat';
import { WholeChat } from '../../whole-chat';
import { quotaHeaders, spellQuotas } from '../chat-completions/quota-headers';
import { Compacted, WholeResponse } from './whole-response';
import { asksForCatalog, modelsForm } from './models-form';
import { wireHeaders } from './origin';
import { parseRequest } from './parse-request';
import { ResponseStore } from './response-store';
import { ResponseStream } from './response-stream';
import { spellError } from './spell-error';

/** A base URL with a version too few or too many means the same. */
const PATHS = ['/v1/responses', '/responses', '/v1/v1/responses'];

const store = new ResponseStore();

/** The wire of `POST /v1/responses`. */
export const responses: Dialect = {
  name: 'responses',
  calls: [
    {
      kind: 'response',
      paths: PATHS,
      parse(body, headers, carriers, client) {
        const { model, chat, order } = parseRequest(body, wireHeaders(headers), carriers, store.of(client));
        if (!chat.stream) return new WholeChat(model, chat, new WholeResponse(order));
        // Agents name themselves in this header. They show only what a stream says.
        return new StreamedChat(model, chat, new ResponseStream(order, headers.originator !== undefined));
      },
    },
    {
      kind: 'compaction',
      paths: PATHS.map((path) => `${path}/compact`),
      parse(body, headers, carriers, client) {
        const { model, chat, order } = parseRequest(body, wireHeaders(headers), carriers, store.of(client), true);
        return new WholeChat(model, chat, new Compacted(order));
      },
    },
  ],
  bodyLimit: 32 * 1024 * 1024,
  headers: { key: ['api-key', 'x-api-key'], id: [], exposed: ['x-should-retry', 'retry-after', ...quotaHeaders] },
  recognizes: asksForCatalog,
  models: modelsForm,
  route: routeFreely,
  spellError,
  spellQuotas,
  async loadRoutes() {
    const { storedRoutes } = await import('./stored-routes');
    return PATHS.flatMap((path) => storedRoutes(path, store));
  },
};
