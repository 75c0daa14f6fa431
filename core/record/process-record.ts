import { isText, type ProcessEvent, type ProcessEventBody } from './process-event';
import { applyEvent, openView, type ProcessView } from './process-view';
import { messageOf } from '../errors';
import type { Redactor } from '../contract/redact';
import { type AppendFile, explainLoss } from './append-file';
import { TextJoiner } from './text-joiner';

const GATHER_MS = 100;
const GATHER_LENGTH = 4 * 1024;

/** A process that has not ended. Takes its events and holds the fold of them. */
export class ProcessRecord {
  readonly view: ProcessView;
  private seq = 1;
  private readonly joiner = new TextJoiner();
  private gathered = 0;
  private timer: NodeJS.Timeout | undefined;
  private isLost = false;

  /** The file begins with the event `created`. */
  constructor(
    created: Extract<ProcessEvent, { type: 'created' }>,
    private readonly file: AppendFile,
    private readonly parts: {
      redactor: Redactor;
      publish: (event: ProcessEvent) => void;
      ended: (record: ProcessRecord) => void;
    },
  ) {
    this.view = openView(created);
  }

  get pid(): number {
    return this.view.pid;
  }

  get redactor(): Redactor {
    return this.parts.redactor;
  }

  /**
   * Numbers an event, takes keys out of it, and passes it on to the view, the stream and the file. The text of the model
   * reaches the stream as it is, and the file without keys. Events after the end are left out.
   */
  add(body: ProcessEventBody): void {
    if (this.view.end) return;
    const event = this.stamp(body);
    applyEvent(this.view, event);
    this.parts.publish(event);
    this.write(this.joiner.add(event));
    if (event.type === 'exit') this.parts.ended(this);
    else if (event.type === 'step' || event.type === 'step_end') void this.writeOut();
    else if (this.gathered > GATHER_LENGTH) void this.writeOut();
    else this.timer ??= setTimeout(this.writeWords, GATHER_MS).unref();
  }

  /** Says once, among the events, what the disk does not take. Where it takes no record it takes no line of the ledger either, as a rule. */
  noteLoss(what: string, error: unknown): void {
    if (this.isLost) return;
    this.isLost = true;
    this.add({ type: 'notice', level: 'warn', message: explainLoss(what, error) });
  }

  /** Resolves when the system has all events so far. */
  flush(): Promise<boolean> {
    this.write(this.joiner.takeAll());
    return this.writeOut();
  }

  private readonly writeWords = (): void => {
    this.write(this.joiner.takeWords());
    void this.writeOut();
  };

  private writeOut(): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.gathered = 0;
    return this.file.flush();
  }

  private write(events: ProcessEvent[]): void {
    for (const event of events) {
      this.gathered += this.file.append(isText(event) ? this.parts.redactor.redactData(event) : event);
    }
  }

  private stamp(body: ProcessEventBody): ProcessEvent {
    const head = { seq: this.seq++, time: Date.now() };
    if (isText(body)) return { ...head, ...body };
    try {
      return { ...head, ...this.parts.redactor.redactData(body) };
    } catch (error) {
      // Only a driver passes values that are no plain data.
      const message = `an event of type ${body.type} cannot be written: ${this.parts.redactor.redact(messageOf(error))}`;
      return { ...head, type: 'notice', level: 'warn', message };
    }
  }
}
