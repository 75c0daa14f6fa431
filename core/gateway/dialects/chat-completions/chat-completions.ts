import type { Dialect } from '../../dialect';
import { routeModel } from '../../route-model';
import { StreamedChat } from '../../streamed-chat';
import { WholeChat } from '../../whole-chat';
import { ChunkWriter } from './chunk-writer';
import { Completion } from './completion';
import { modelsForm } from './models-form';
import { parseRequest } from './parse-request';
import { quotaHeaders, spellQuotas } from './quota-headers';
import { spellError, spellUpstream } from './spell-error';
import { answerHead } from './wire-parts';

export const chatCompletions: Dialect = {
  name: 'chat-completions',
  calls: [
    {
      kind: 'chat',
      paths: ['/v1/chat/completions'],
      parse(body) {
        const { requestedModel, includeUsage, chat } = parseRequest(body);
        const head = answerHead(requestedModel);
        if (!chat.stream) return new WholeChat(requestedModel, chat, new Completion(head));
        return new StreamedChat(requestedModel, chat, new ChunkWriter(head, includeUsage));
      },
    },
  ],
  bodyLimit: 4 * 1024 * 1024,
  headers: { key: ['api-key', 'x-api-key'], id: [], exposed: ['x-should-retry', 'retry-after', ...quotaHeaders] },
  models: modelsForm,
  route: routeModel,
  spellError,
  spellUpstream,
  spellQuotas,
};
