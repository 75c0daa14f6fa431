import type { ProcessEvent } from '../../record/process-event';
import { applyEvent, type ProcessView } from '../../record/process-view';
import { TextBlocks } from './text-blocks';

/** A line of the trace: an event, or the pieces of one text that follow each other. */
export interface TraceRow {
  /** The first of them. */
  event: ProcessEvent;
  /** The texts of all; none for other events. */
  pieces: string[];
  characters: number;
}

export type Fallback = Extract<ProcessEvent, { type: 'fallback' }>;
export type Notice = Extract<ProcessEvent, { type: 'notice' }>;

/** One process as its page shows it: the fold of its record, which goes on with the live events of higher numbers. */
export class ProcessDetail {
  readonly intent: TextBlocks;
  readonly answer = new TextBlocks();
  readonly reasoning = new TextBlocks();
  readonly trace: TraceRow[] = [];
  readonly fallbacks: Fallback[] = [];
  readonly notices: Notice[] = [];
  private lastSeq = -1;

  /** The view belongs to the events: it is their fold. */
  constructor(
    readonly view: ProcessView,
    events: ProcessEvent[],
  ) {
    this.intent = new TextBlocks(view.intent);
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
      case 'text':
        this.answer.append(event.text);
        break;
      case 'reasoning':
        this.reasoning.append(event.text);
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
    if (event.type !== 'text' && event.type !== 'reasoning') {
      this.trace.push({ event, pieces: [], characters: 0 });
      return;
    }
    const last = this.trace.at(-1);
    if (last?.event.type === event.type && last.event.step === event.step) {
      last.pieces.push(event.text);
      last.characters += event.text.length;
    } else {
      this.trace.push({ event, pieces: [event.text], characters: event.text.length });
    }
  }
}
