import type { ChatEvent, FinishReason, Usage } from '../../contract/api';
import { checkEvent } from '../../providers/check-event';
import { ANSWER_LIMIT_MS, failed, within } from './within';

/** An answer as a driver gave it, with its events folded. */
export interface ReadAnswer {
  events: ChatEvent[];
  text: string;
  reasoning: string;
  toolCalls: FoldedCall[];
  usage: Usage | undefined;
  finish: FinishReason | undefined;
  /** Request fields that the driver says had no effect. */
  ignored: string[];
}

/** A tool call whose pieces have been joined. */
export interface FoldedCall {
  id: string;
  name: string;
  arguments: string;
  extra?: Record<string, unknown>;
}

/** Reads a driver's events to their end. Invalid events and an answer that never ends fail the case. */
export async function readAnswer(events: AsyncIterable<ChatEvent>): Promise<ReadAnswer> {
  const iterator = events[Symbol.asyncIterator]();
  const read: ChatEvent[] = [];
  const readAll = async (): Promise<void> => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      checkEvent(next.value, 1);
      read.push(next.value);
    }
  };
  try {
    await within(readAll(), `the answer did not end: ${read.length} events`, ANSWER_LIMIT_MS);
  } catch (error) {
    void iterator.return?.();
    throw error;
  }
  return foldEvents(read);
}

/** Joins the pieces of an answer. */
function foldEvents(events: ChatEvent[]): ReadAnswer {
  const answer: ReadAnswer = {
    ...{ events, text: '', reasoning: '', toolCalls: [], ignored: [] },
    ...{ usage: undefined, finish: undefined },
  };
  const calls = new Map<number, FoldedCall>();
  for (const event of events) {
    if (event.type === 'text') answer.text += event.text;
    else if (event.type === 'reasoning') answer.reasoning += event.text;
    else if (event.type === 'usage') answer.usage = event;
    else if (event.type === 'finish') answer.finish = event.reason;
    else if (event.type === 'meta') answer.ignored.push(...(event.ignored ?? []));
    else if (event.type === 'tool_call') {
      const call = calls.get(event.index) ?? { id: '', name: '', arguments: '' };
      calls.set(event.index, call);
      call.id ||= event.id ?? '';
      call.name ||= event.name ?? '';
      call.arguments += event.arguments ?? '';
      if (event.extra) call.extra = { ...call.extra, ...event.extra };
    }
  }
  answer.toolCalls = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call);
  return answer;
}

/** Reads up to the first text; what was read is added to `read`. */
export async function readUntilText(events: AsyncIterator<ChatEvent>, read: ChatEvent[] = []): Promise<void> {
  for (;;) {
    const next = await events.next();
    if (next.done) throw failed('the answer ended without a text');
    read.push(next.value);
    if (next.value.type === 'text' && next.value.text !== '') return;
  }
}
