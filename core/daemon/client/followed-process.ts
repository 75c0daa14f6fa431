import type { ProcessEvent } from '../../record/process-event';
import { foldEvent, type ProcessView } from '../../record/process-view';

const DETAIL_LENGTH = 60;

/** An agent process as its events so far tell it. */
export class FollowedProcess {
  view: ProcessView | undefined;
  /** The text of the last step that said something. */
  answer = '';
  private answerStep: number | undefined;
  private doing = '';

  take(event: ProcessEvent): void {
    this.view = foldEvent(this.view, event);
    if (event.type === 'text') {
      this.answer = event.step === this.answerStep ? this.answer + event.text : event.text;
      this.answerStep = event.step;
    }
    this.doing = actionOf(event) ?? this.doing;
  }

  /** In one line: provider, step, current action. Empty before the process is created. */
  get progress(): string {
    if (!this.view) return '';
    const { pid, state, provider, steps } = this.view;
    const step = steps.length > 1 && `step ${steps.length}`;
    const doing = state === 'created' ? 'waits for its turn' : this.doing;
    return [`process ${pid}`, provider, step, doing].filter(Boolean).join(' · ');
  }
}

/** What a process does from an event on; undefined: the event changes nothing. */
function actionOf(event: ProcessEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return `asks ${event.device ?? event.tool}`;
    case 'activity':
      return `${event.tool} ${event.detail ?? ''}`.replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH);
    case 'reasoning':
      return 'thinks';
    case 'text':
      return 'answers';
    case 'step':
    case 'tool_result':
      return '';
    default:
      return undefined;
  }
}
