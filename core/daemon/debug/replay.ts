import type { ChatEvent, ChatRequest } from '../../contract/api';
import type { LlmDevice } from '../../devices/device';
import { chatDirectly, type DirectChatLine } from '../../devices/direct-chat';
import { defined } from '../../fields';
import type { Exchange } from '../../record/exchange';
import { type AnswerView, viewAnswer } from '../../record/exchange-view';
import type { StepUsage } from '../../record/usage';
import type { EventStream } from '../../record/event-stream';

/** How a request went, the first time or again. */
export interface Run {
  provider?: string;
  model?: string;
  ms: number;
  firstMs?: number;
  usage?: StepUsage;
  costUsd?: number;
  finish?: string;
  characters: number;
  toolCalls: number;
  failed: boolean;
  /** Only where content is asked for. */
  answer?: AnswerView;
  error?: string;
}

export interface Replay {
  recorded: Run;
  replayed: Run;
  /** Whether both have the same text and the same tool calls. */
  isSame: boolean;
}

interface ReplayParts {
  device: LlmDevice;
  /** Undefined: the default of the device. */
  model: string | undefined;
  project: string | undefined;
  stream: EventStream;
  gone: AbortSignal;
  withContent: boolean;
}

/** Sends the request of an exchange again. Nothing of it is redacted yet. */
export async function replay(exchange: Exchange, chat: ChatRequest, parts: ReplayParts): Promise<Replay> {
  const { withContent, ...asked } = parts;
  const { messages, model: _, stream: __, ...fields } = chat;
  const events: ChatEvent[] = [];
  let end: Extract<DirectChatLine, { type: 'end' | 'error' }> | undefined;
  const started = performance.now();
  await chatDirectly({
    ...asked,
    messages,
    fields,
    asker: { type: 'chat' },
    take: (event) => void events.push(event),
    write: (line) => {
      if (line.type === 'end' || line.type === 'error') end = line;
      return undefined;
    },
  });
  const ms = Math.round(performance.now() - started);
  const replayed = viewAnswer({ events });
  const recorded = viewAnswer(exchange.content ?? { events: [] });
  const facts = end?.type === 'end' ? end : { provider: asked.device.name, model: undefined };
  const error = end?.type === 'error' ? end.message : undefined;
  return {
    recorded: describe(recordedFacts(exchange), recorded, exchange.end?.error, withContent),
    replayed: describe(
      { ms, ...facts, model: facts.model ?? asked.model ?? asked.device.defaultModel },
      replayed,
      error,
      withContent,
    ),
    isSame: sameWords(recorded) === sameWords(replayed),
  };
}

function recordedFacts({ end, asks }: Exchange) {
  const ask = asks.at(-1);
  const firstMs =
    end?.used && ask?.firstAt !== undefined && ask.askedAt !== undefined ? ask.firstAt - ask.askedAt : undefined;
  return {
    provider: ask?.provider,
    model: end?.used?.model ?? ask?.model,
    ms: end?.ms ?? 0,
    firstMs: firstMs === undefined ? undefined : Math.round(firstMs),
    usage: end?.used?.usage,
    costUsd: end?.used?.costUsd,
  };
}

function describe(
  { provider, model, ms, firstMs, usage, costUsd }: Partial<Run> & { ms: number },
  answer: AnswerView,
  error: string | undefined,
  withContent: boolean,
): Run {
  return defined({
    provider,
    model,
    ms,
    firstMs,
    usage,
    costUsd: costUsd || undefined,
    finish: answer.finish,
    characters: answer.text.length,
    toolCalls: answer.toolCalls?.length ?? 0,
    failed: error !== undefined,
    ...(withContent && { answer, error }),
  });
}

/** Ids of calls differ each time. */
function sameWords({ text, toolCalls = [] }: AnswerView): string {
  return JSON.stringify([text, toolCalls.map(({ name, arguments: given }) => [name, given])]);
}
