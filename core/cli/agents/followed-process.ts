import { processEventSchema } from '../../daemon/control/protocol';
import type { ProcessEvent } from '../../record/process-event';
import { foldEvent, type ProcessView } from '../../record/process-view';
import { formatDuration, shorten } from '../terminal/format';

const DETAIL_LENGTH = 60;

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

/** The line on stderr for an event. Undefined for an event that the user need not know. */
function reportEvent(event: ProcessEvent, { pid }: ProcessView): string | undefined {
  switch (event.type) {
    case 'resolve': {
      const { provider, model, effort } = event;
      const parts = [provider, model, effort && `effort ${effort}`].filter(Boolean);
      return `process ${pid}: ${parts.join(', ')}`;
    }
    case 'notice':
      return `${event.level === 'warn' ? 'warning' : 'note'}: ${event.message}`;
    case 'fallback':
      return `warning: provider "${event.from}" failed: ${event.reason}; going on with "${event.to}"`;
    case 'retry':
      return `note: trying again: ${event.reason}`;
    case 'tool_call':
      return event.refused === undefined ? undefined : `warning: ${event.tool} refused: ${event.refused}`;
    default:
      return undefined;
  }
}

/** The live line of a process: provider, step, current action, time. */
function describeProgress({ pid, state, provider, steps, createdAt }: ProcessView, doing: string): string {
  const parts = [`process ${pid}`];
  if (provider !== undefined) parts.push(provider);
  if (state === 'created') parts.push('waiting for its turn');
  else if (steps.length > 1) parts.push(`step ${steps.length}`);
  if (doing) parts.push(doing);
  return [...parts, formatDuration(Date.now() - createdAt)].join(' · ');
}

/** What a process does from this event on. Undefined where an event changes nothing. */
function describeDoing(event: ProcessEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return `asks ${event.device ?? event.tool}`;
    case 'activity':
      return shorten(`${event.tool} ${event.detail ?? ''}`, DETAIL_LENGTH);
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
