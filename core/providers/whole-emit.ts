import type { ChatEvent } from '../contract/api';
import type { Emit } from './chat-turn';

type Piece = Extract<ChatEvent, { type: 'text' | 'reasoning' }>;

/**
 * Joins the text of each choice and sends it before the choice's end: what `mode: call` promises, also of a driver that
 * streams inside.
 */
export function wholeEmit(emit: Emit): Emit {
  const waiting = new Map<string, Piece>();
  return (event) => {
    if (event.type === 'text' || event.type === 'reasoning') {
      const key = `${event.choice ?? 0} ${event.type}`;
      const before = waiting.get(key);
      waiting.set(key, before ? { ...before, ...event, text: before.text + event.text } : event);
      return undefined;
    }
    if (event.type === 'finish') {
      for (const type of ['reasoning', 'text']) {
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
