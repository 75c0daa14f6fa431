import type { ProcessEvent } from '../../events/process-event';
import { applyEvent, type ProcessView } from '../../events/process-view';
import { TextBlocks } from './text-blocks';

/** A line of the trace: an event, or the pieces of one text that follow each other. */
export interface TraceRow {
  event: ProcessEvent;
  /** For texts: how many pieces, and characters, there are. */
  pieces: number;
  characters: number;
}

export type Fallback = Extract<ProcessEvent, { type: 'fallback' }>;
export type Notice = Extract<ProcessEvent, { type: 'notice' }>;

/** One process as its page shows it: the fold of its record, which goes on with the live events of higher numbers. */
export class ProcessDetail {
  readonly answer = new TextBlocks();
  readonly reasoning = new TextBlocks();
  readonly trace: TraceRow[] = [];
  readonly fallbacks: Fallback[] = [];
  readonly notices: Notice[] = [];
  private lastSeq = -1;
  /** Steps of other models that serve a tool call: their text is the result of the call, not the answer. */
  private readonly inner = new Set<number>();

  /** The view belongs to the events: it is their fold. */
  constructor(
    readonly view: ProcessView,
    events: ProcessEvent[],
  ) {
    for (const event of events) this.take(event);
  }

  /** The next live event. One that the record had already is left out. */
  add(event: ProcessEvent): void {
    if (event.seq <= this.lastSeq) return;
    applyEvent(this.view, event);
    this.take(event);
  }

  private take(event: ProcessEvent): void {
    this.lastSeq = event.seq;
    switch (event.type) {
      case 'step':
        if (event.call !== undefined) this.inner.add(event.step);
        break;
      case 'text':
        if (!this.inner.has(event.step)) this.answer.append(event.text);
        break;
      case 'reasoning':
        if (!this.inner.has(event.step)) this.reasoning.append(event.text);
        break;
      case 'fallback':
        this.fallbacks.push(event);
        break;
      case 'notice':
        this.notices.push(event);
        break;
      default:
    }
    this.addRow(event);
  }

  private addRow(event: ProcessEvent): void {
    const isText = event.type === 'text' || event.type === 'reasoning';
    const last = this.trace.at(-1);
    if (isText && last?.event.type === event.type && last.event.step === event.step) {
      last.pieces += 1;
      last.characters += event.text.length;
    } else {
      this.trace.push({ event, pieces: 1, characters: isText ? event.text.length : 0 });
    }
  }
}
