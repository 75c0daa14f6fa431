import type { ChatEvent } from '../contract/api';

/** Takes one event of an answer. A promise means: wait, the reader is slower than the driver. */
export type Emit = (event: ChatEvent) => Promise<void> | undefined;

/** In characters. Other clients do not notice the time that a piece of this length takes. */
export const LONGEST_PIECE = 256 * 1024;

/** Cuts a text into pieces, none of which begins or ends within a character. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0, end; start < text.length; start = end) {
    end = Math.min(start + LONGEST_PIECE, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * Sends the text of each choice, and of each block of reasoning, in one piece before its end, as `mode: call` promises, also
 * if the driver streams. A native answer is left out: it is one body, and the client reads a stream.
 */
export function joinPieces(emit: Emit): Emit {
  const waiting = new Map<string, Extract<ChatEvent, { type: 'text' | 'reasoning' }>>();
  return (event) => {
    if (event.type === 'native') return undefined;
    if (event.type === 'text' || event.type === 'reasoning') {
      const key = `${event.choice ?? 0} ${event.type}`;
      const before = waiting.get(key);
      waiting.set(key, before ? { ...before, ...event, text: before.text + event.text } : event);
      return undefined;
    }
    if (event.type === 'finish' || event.type === 'reasoning_end') {
      for (const type of event.type === 'finish' ? ['reasoning', 'text'] : ['reasoning']) {
        const key = `${event.choice ?? 0} ${type}`;
        const piece = waiting.get(key);
        // Nothing is written before the finish: there is no reader to wait for yet.
        if (piece) void emit(piece);
        waiting.delete(key);
      }
    }
    return emit(event);
  };
}
