import { processEventSchema } from '../daemon/control/process-view-schema';
import type { ProcessEvent } from '../events/process-event';
import { applyEvent, openView, type ProcessView } from '../events/process-view';
import { describeDoing, describeProgress } from './process-report';

/** A process as it is known from its events so far. */
export class FollowedProcess {
  view: ProcessView | undefined;
  /** What its model said in its last step. */
  answer = '';
  private answerStep: number | undefined;
  private doing = '';

  /** Takes the next line of a stream of events; undefined for one that this version does not know. */
  take(line: unknown): { event: ProcessEvent; view: ProcessView } | undefined {
    const { data: event } = processEventSchema.safeParse(line);
    if (!event) return undefined;
    if (event.type === 'created') {
      const { seq: _, time, type: __, ...origin } = event;
      this.view = openView(origin, time);
    }
    const { view } = this;
    if (!view) return undefined;
    applyEvent(view, event);
    if (event.type === 'text') this.addText(event);
    this.doing = describeDoing(event) ?? this.doing;
    return { event, view };
  }

  progress(): string {
    return this.view ? describeProgress(this.view, this.doing) : '';
  }

  private addText({ step, text }: { step: number; text: string }): void {
    this.answer = step === this.answerStep ? this.answer + text : text;
    this.answerStep = step;
  }
}
