import type { ProcessEvent } from '../../record/process-event';
import { applyEvent, type ProcessView } from '../../record/process-view';
import { TextBlocks } from './text-blocks';

/** A line of the trace: an event, or consecutive pieces of one text. */
export interface TraceRow {
  event: ProcessEvent;
  /** The pieces of a text. Empty for other events. */
  pieces: string[];
  characters: number;
}

/** The data of a process page: the fold of the record, continued with live events. */
export class ProcessDetail {
  readonly intent: TextBlocks;
  readonly answer = new TextBlocks();
  readonly reasoning = new TextBlocks();
  readonly trace: TraceRow[] = [];
  readonly fallbacks: Extract<ProcessEvent, { type: 'fallback' }>[] = [];
  readonly notices: Extract<ProcessEvent, { type: 'notice' }>[] = [];
  private lastSeq = -1;

  /** The view must be the fold of the events. */
  constructor(
    readonly view: ProcessView,
    events: ProcessEvent[],
  ) {
    this.intent = new TextBlocks(view.intent);
    for (const event of events) this.take(event);
  }

  /** Adds a live event. Ignores an event that the record already contains. */
  add(event: ProcessEvent): void {
    if (event.seq <= this.lastSeq) return;
    applyEvent(this.view, event);
    this.take(event);
  }

  private take(event: ProcessEvent): void {
    this.lastSeq = event.seq;
    if (event.type === 'fallback') this.fallbacks.push(event);
    if (event.type === 'notice') this.notices.push(event);
    if (event.type !== 'text' && event.type !== 'reasoning') {
      this.trace.push({ event, pieces: [], characters: 0 });
      return;
    }
    (event.type === 'text' ? this.answer : this.reasoning).append(event.text);
    const last = this.trace.at(-1);
    if (last?.event.type === event.type && last.event.step === event.step) {
      last.pieces.push(event.text);
      last.characters += event.text.length;
    } else {
      this.trace.push({ event, pieces: [event.text], characters: event.text.length });
    }
  }
}
