import type { Dialect } from '../../../dialect';
import { chatCompletions } from '../chat-completions';
import { spellQuotas } from '../quota-headers';
import { spellError } from '../spell-error';
import { EmbeddingCall } from './embedding-call';
import { parseEmbedding } from './parse-embedding';
import { routeEmbedding } from './route-embedding';

/** Vectors for texts: a part of the same API, with a limit and a routing of its own. */
export const embeddings: Dialect = {
  name: chatCompletions.name,
  calls: [
    {
      kind: 'embeddings',
      paths: ['/v1/embeddings'],
      parse(body) {
        const { requestedModel, isBase64, request } = parseEmbedding(body);
        return new EmbeddingCall(requestedModel, request, isBase64);
      },
    },
  ],
  bodyLimit: 32 * 1024 * 1024,
  headers: chatCompletions.headers,
  route: routeEmbedding,
  spellError,
  spellQuotas,
};
