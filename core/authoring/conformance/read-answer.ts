import { AnswerFold } from '../../contract/answer-fold';
import type { ChatEvent, FinishReason, ToolCallPart, Usage } from '../../contract/api';
import { checkEvent } from '../../providers/check-event';
import { ANSWER_LIMIT_MS, ConformanceError, WAITING_LIMIT_MS, within } from './within';

export interface ReadAnswer {
  events: ChatEvent[];
  text: string;
  reasoning: string;
  toolCalls: ToolCallPart[];
  usage?: Usage;
  finish?: FinishReason;
  ignored: string[];
}

/**
 * Reads a driver's events to their end. Invalid events and an answer that never ends fail the case, with what the backend
 * waits for.
 */
export async function readAnswer(
  events: AsyncIterable<ChatEvent>,
  waitsFor: () => string | undefined = () => undefined,
): Promise<ReadAnswer> {
  const iterator = events[Symbol.asyncIterator]();
  const read: ChatEvent[] = [];
  const readAll = async (): Promise<void> => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      checkEvent(next.value, 1);
      read.push(next.value);
    }
  };
  const late = () => [waitsFor(), `the answer did not end: ${read.length} events`].filter(Boolean).join('; ');
  try {
    const reading = readAll();
    // A backend that waits for the driver will not go on by itself.
    const unlessItWaits = within(reading, late, WAITING_LIMIT_MS).catch((error: unknown) => {
      if (waitsFor() === undefined) return reading;
      throw error;
    });
    await within(unlessItWaits, late, ANSWER_LIMIT_MS);
  } catch (error) {
    void iterator.return?.();
    throw error;
  }
  return foldEvents(read);
}

function foldEvents(events: ChatEvent[]): ReadAnswer {
  const fold = new AnswerFold();
  for (const event of events) fold.add(event);
  const { text, reasoning, usage, finish } = fold;
  const ignored = events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));
  return { events, text, reasoning, toolCalls: fold.toolCalls(() => ''), usage, finish, ignored };
}

/** Reads up to the first text. Adds the events to `read`. */
export async function readUntilText(events: AsyncIterator<ChatEvent>, read: ChatEvent[] = []): Promise<void> {
  for (;;) {
    const next = await events.next();
    if (next.done) throw new ConformanceError('the answer ended without a text');
    read.push(next.value);
    if (next.value.type === 'text' && next.value.text !== '') return;
  }
}
