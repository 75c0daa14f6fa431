import { processEventSchema } from '../../daemon/control/protocol';
import type { ProcessEvent } from '../../record/process-event';
import { foldEvent, type ProcessView } from '../../record/process-view';
import { type EventWords, wordsFor } from '../terminal/event-words';
import { formatDuration, shorten } from '../terminal/format';

const DETAIL_LENGTH = 60;

/** A process as its events so far tell it. */
export class FollowedProcess {
  view: ProcessView | undefined;
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
    this.doing = wordsFor(ACTIONS, event) ?? this.doing;
    return { event, report: this.report(event, view) };
  }

  /** The live line: provider, step, current action, time. Empty before the process is created. */
  progress(): string {
    if (!this.view) return '';
    const { pid, state, provider, steps, createdAt } = this.view;
    const parts = [`process ${pid}`, provider];
    if (state === 'created') parts.push('waiting for its turn');
    else if (steps.length > 1) parts.push(`step ${steps.length}`);
    return [...parts, this.doing, formatDuration(Date.now() - createdAt)].filter(Boolean).join(' · ');
  }

  /** The line for the user, if there is one. A model may repeat a call that is refused: the user hears of it once. */
  private report(event: ProcessEvent, view: ProcessView): string | undefined {
    if (event.type === 'resolve') {
      const { provider, model, effort } = event;
      const since = view.continues === undefined ? undefined : `goes on after process ${view.continues}`;
      const parts = [provider, model, effort && `effort ${effort}`, since].filter(Boolean);
      return `process ${view.pid}: ${parts.join(', ')}`;
    }
    const text = wordsFor(REPORTS, event);
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

/** The lines on stderr. The user need not know of other events. */
const REPORTS: EventWords = {
  notice: ({ level, message }) => `${level === 'warn' ? 'warning' : 'note'}: ${message}`,
  fallback: ({ from, to, reason }) => `warning: provider "${from}" failed: ${reason}; going on with "${to}"`,
  retry: ({ reason }) => `note: trying again: ${reason}`,
  tool_call: ({ tool, refused }) => (refused === undefined ? undefined : `warning: ${tool} refused: ${refused}`),
};

/** What a process does from an event on. Other events change nothing. */
const ACTIONS: EventWords = {
  tool_call: ({ device, tool }) => `asks ${device ?? tool}`,
  activity: ({ tool, detail }) => shorten(`${tool} ${detail ?? ''}`, DETAIL_LENGTH),
  reasoning: () => 'thinks',
  text: () => 'answers',
  step: () => '',
  tool_result: () => '',
};
