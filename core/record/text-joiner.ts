import { isText, type ProcessEvent, type TextEvent } from './process-event';

const JOINED_LENGTH = 4 * 1024;
/** Longer than any word or key. */
const WORD_LENGTH = 8 * 1024;
/** Characters that no key has, at the end and at the beginning of a piece. */
const ENDS_WORD = /[^\x21-\x7e]$/;
const BEGINS_AFRESH = /^[^\x21-\x7e]/;

/** Joins the words that a model gives one at a time. Cuts between words only: half a key could not be recognized. */
export class TextJoiner {
  private pieces: TextEvent[] = [];
  private length = 0;

  /** Takes the next event and returns those that are ready, in order. */
  add(event: ProcessEvent): ProcessEvent[] {
    if (!isText(event)) return [...this.takeAll(), event];
    const [first] = this.pieces;
    const before = first && (first.type !== event.type || first.step !== event.step) ? this.takeAll() : [];
    this.pieces.push(event);
    const blocks = Math.floor(this.length / JOINED_LENGTH);
    this.length += event.text.length;
    return Math.floor(this.length / JOINED_LENGTH) === blocks ? before : [...before, ...this.takeWords()];
  }

  /** Returns everything up to the end of the last whole word. */
  takeWords(): ProcessEvent[] {
    return this.length > WORD_LENGTH ? this.takeAll() : this.take(this.lastBorder());
  }

  takeAll(): ProcessEvent[] {
    return this.take(this.pieces.length);
  }

  private lastBorder(): number {
    for (let at = this.pieces.length; at > 0; at--) {
      if (ENDS_WORD.test(this.pieces[at - 1]!.text) || BEGINS_AFRESH.test(this.pieces[at]?.text ?? '')) return at;
    }
    return 0;
  }

  private take(count: number): ProcessEvent[] {
    const taken = this.pieces.splice(0, count);
    const [first] = taken;
    if (!first) return [];
    const text = taken.map((piece) => piece.text).join('');
    this.length -= text.length;
    return [{ ...first, seq: taken.at(-1)!.seq, text }];
  }
}
