import type { IncomingHttpHeaders } from 'node:http';
import { isFields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { CountCall, type CountForm } from '../../count-call';
import type { Dialect } from '../../dialect';
import { readJson } from '../../read-fields';
import { StreamedChat } from '../../streamed-chat';
import { ifText } from '../../value-at';
import { WholeChat } from '../../whole-chat';
import { MessageBody } from './message-body';
import { MessageStream } from './message-stream';
import { modelsForm } from './models-form';
import { parseRequest } from './parse-request';
import { routeMessage } from './route-message';
import { quotaHeaders, spellQuotas } from './quota-headers';
import { spellError } from './spell-error';
import { PREFIX, VERSION_HEADER } from './vendor-words';
import { answerHead } from './wire-parts';

/** Clients put `/v1/messages` behind a base URL that may end with a version, or with the name of the wire. */
const PATHS = ['/v1/messages', '/v1/v1/messages', `${PREFIX}/messages`];

export const messages: Dialect = {
  name: 'messages',
  calls: [
    {
      kind: 'message',
      paths: PATHS,
      parse(body, headers, carriers) {
        const { requestedModel, ownFields, fieldNames, chat, isSummary } = parseRequest(body, headers, carriers);
        const parts = [answerHead(requestedModel), ownFields, fieldNames, isSummary] as const;
        if (!chat.stream) return new WholeChat(requestedModel, chat, new MessageBody(...parts));
        return new StreamedChat(requestedModel, chat, new MessageStream(...parts));
      },
    },
    {
      kind: 'count',
      paths: PATHS.map((path) => `${path}/count_tokens`),
      parse: (body, headers, carriers) => new CountCall(messageCount(body, headers, carriers)),
    },
  ],
  bodyLimit: 32 * 1024 * 1024,
  headers: {
    key: ['x-api-key'],
    id: ['request-id'],
    exposed: ['request-id', 'x-should-retry', 'retry-after', ...quotaHeaders],
  },
  // Its programs leave after 300 s without an answer, and ask again.
  patienceS: 290,
  recognizes: ({ headers }) => headers[VERSION_HEADER] !== undefined,
  models: modelsForm,
  route: routeMessage,
  spellError,
  spellQuotas,
  // Programs look whether there is anything at their base URL.
  loadRoutes: () =>
    Promise.resolve([{ method: 'head', path: '/', handle: (_request, response) => void response.end() }]),
};

/** In characters. What is longer may be an image, whose size says little about its tokens. */
const LONGEST_TEXT = 100_000;

/**
 * What cannot be read is weighed as it is: for each count that it does not get, a program asks a model instead, which
 * costs money.
 */
function messageCount(body: Buffer, headers: IncomingHttpHeaders, carriers: Carriers): CountForm {
  const toBody = (tokens: number) => ({ input_tokens: tokens });
  try {
    const { requestedModel: model, chat } = parseRequest(body, headers, carriers, true);
    return { model, chat, toBody };
  } catch {
    const value = readJson(body);
    const { model, system, messages, tools } = isFields(value) ? value : {};
    const otherwise = JSON.stringify([system, messages, tools], (_name, field: unknown) => {
      return typeof field === 'string' ? field.slice(0, LONGEST_TEXT) : field;
    });
    return { model: ifText(model) ?? '', chat: undefined, otherwise, toBody };
  }
}
