import { processEventSchema } from '../../daemon/control/process-view-schema';
import type { ProcessEvent } from '../../record/process-event';
import { foldEvent, type ProcessView } from '../../record/process-view';
import { describeDoing, describeProgress, reportEvent } from './process-report';

/** A process as its events so far tell it. */
export class FollowedProcess {
  view: ProcessView | undefined;
  /** The text of the last step. */
  answer = '';
  private answerStep: number | undefined;
  private doing = '';
  private readonly refusals = new Set<string>();

  /**
   * Takes the next line of a stream of events. Undefined for an event that this version does not know. `report` is the line
   * for the user, if there is one.
   */
  take(line: unknown): { event: ProcessEvent; report: string | undefined } | undefined {
    const { data: event } = processEventSchema.safeParse(line);
    if (!event) return undefined;
    const view = (this.view = foldEvent(this.view, event));
    if (!view) return undefined;
    if (event.type === 'text') this.addText(event);
    this.doing = describeDoing(event) ?? this.doing;
    return { event, report: this.report(event, view) };
  }

  progress(): string {
    return this.view ? describeProgress(this.view, this.doing) : '';
  }

  /** A model may repeat a call that is refused: the user hears of it once. */
  private report(event: ProcessEvent, view: ProcessView): string | undefined {
    const text = reportEvent(event, view);
    if (event.type !== 'tool_call' || text === undefined) return text;
    if (this.refusals.has(text)) return undefined;
    this.refusals.add(text);
    return text;
  }

  private addText({ step, text }: { step: number; text: string }): void {
    this.answer = step === this.answerStep ? this.answer + text : text;
    this.answerStep = step;
  }
}
