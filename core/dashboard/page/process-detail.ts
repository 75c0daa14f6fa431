import type { ProcessEvent } from '../../record/process-event';
import { applyEvent, openView, type ProcessView } from '../../record/process-view';
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
  readonly view: ProcessView;
  private lastSeq = -1;

  constructor(created: Extract<ProcessEvent, { type: 'created' }>) {
    this.view = openView(created);
    this.intent = new TextBlocks(created.intent);
    this.take(created);
  }

  /** Adds the next event of the record. */
  add(event: ProcessEvent): void {
    applyEvent(this.view, event);
    this.take(event);
  }

  /** Adds a live event. Ignores an event that the record already contains. */
  addLive(event: ProcessEvent): void {
    if (event.seq > this.lastSeq) this.add(event);
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
