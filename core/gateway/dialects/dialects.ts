import type { Dialect } from '../dialect';
import { chatCompletions } from './chat-completions/chat-completions';
import { embeddings } from './chat-completions/embeddings/embeddings';
import { messages } from './messages/messages';
import { responses } from './responses/responses';

/** All dialects. The first one speaks at every path that belongs to no other. */
export const dialects: readonly [Dialect, ...Dialect[]] = [chatCompletions, embeddings, messages, responses];
