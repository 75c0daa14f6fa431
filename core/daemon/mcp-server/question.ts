import { hintOf, messageOf } from '../../errors';
import { defined } from '../../fields';
import type { StepUsage } from '../../record/usage';
import { DaemonGoneError } from '../client/control-client';
import type { ChatLine, ChatPart } from '../control/chat-protocol';
import type { McpHost } from './mcp-host';

interface Question {
  /** The name of a model as clients of the gateway send it; absent: the default provider. */
  model?: string;
  system?: string;
  parts: ChatPart[];
}

export interface Answer {
  /** Who answered: of a route, one of its targets. */
  provider?: string;
  /** What the provider calls its model. */
  model?: string;
  text: string;
  ms?: number;
  usage?: StepUsage;
  costUsd?: number;
  /** Why there is no whole answer, and what to do about it. */
  error?: { message: string; hint?: string };
}

/** Asks one model. Rejects only where it could not be asked at all; `grow` hears of every piece. */
export async function askModel(
  host: McpHost,
  { client }: Awaited<ReturnType<McpHost['open']>>,
  { model: name, system, parts }: Question,
  { signal, grow }: { signal: AbortSignal; grow: (answer: Answer) => void },
): Promise<Answer> {
  const messages = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: parts }];
  const body = { project: host.ref(), asker: 'mcp', client: host.client, name: name || undefined, messages };
  const answer: Answer = { text: '' };
  for await (const line of client.stream<ChatLine>('POST', '/v1/chat', { body, signal })) {
    if (line.type === 'text') answer.text += line.text;
    else if (line.type === 'start') Object.assign(answer, defined({ provider: line.provider, model: line.model }));
    else if (line.type === 'end') {
      const { provider, model, ms, usage, costUsd } = line;
      return Object.assign(answer, defined({ provider, model, ms, usage, costUsd }));
    } else if (line.type === 'error') return { ...answer, error: defined({ message: line.message, hint: line.hint }) };
    grow(answer);
  }
  signal.throwIfAborted();
  throw new DaemonGoneError('the daemon has ended', 'ask again; its log: drivebay daemon logs');
}

/** An error in place of an answer, where several models are asked. */
export function unanswered(error: unknown): Answer {
  return { text: '', error: defined({ message: messageOf(error), hint: hintOf(error) }) };
}
