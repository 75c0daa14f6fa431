import { type EventWords, wordsFor } from '../../record/event-words';
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
    this.doing = wordsFor(ACTIONS, event) ?? this.doing;
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

/** What a process does from an event on; one without an entry changes nothing. */
const ACTIONS: EventWords = {
  tool_call: ({ device, tool }) => `asks ${device ?? tool}`,
  activity: ({ tool, detail = '' }) => `${tool} ${detail}`.replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH),
  reasoning: () => 'thinks',
  text: () => 'answers',
  step: () => '',
  tool_result: () => '',
};
