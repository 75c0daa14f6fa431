import { FollowedProcess } from '../../daemon/client/followed-process';
import type { ProcessEvent } from '../../record/process-event';
import { type EventWords, wordsFor } from '../../record/event-words';
import { formatDuration } from '../terminal/format';

/** A process with the lines about it for the user of a command. */
export class ReportedProcess extends FollowedProcess {
  private readonly refusals = new Set<string>();

  /** Takes an event. Returns the line about it, if there is one: a model may repeat a refused call, and one line tells of it. */
  report(event: ProcessEvent): string | undefined {
    this.take(event);
    if (event.type === 'resolve') return this.describeStart(event);
    const text = wordsFor(REPORTS, event);
    if (event.type !== 'tool_call' || text === undefined) return text;
    if (this.refusals.has(text)) return undefined;
    this.refusals.add(text);
    return text;
  }

  /** The line that is drawn anew while the process works. */
  get liveLine(): string {
    return this.view ? `${this.progress} · ${formatDuration(Date.now() - this.view.createdAt)}` : '';
  }

  private describeStart({ provider, model, effort }: Extract<ProcessEvent, { type: 'resolve' }>): string | undefined {
    if (!this.view) return undefined;
    const { pid, continues } = this.view;
    const since = continues === undefined ? undefined : `continues process ${continues}`;
    return `process ${pid}: ${[provider, model, effort && `effort ${effort}`, since].filter(Boolean).join(', ')}`;
  }
}

/** The lines on stderr. The user need not know of other events. */
const REPORTS: EventWords = {
  notice: ({ level, message }) => `${level === 'warn' ? 'warning' : 'note'}: ${message}`,
  fallback: ({ from, to, reason }) => `warning: provider "${from}" failed: ${reason}; continuing with "${to}"`,
  retry: ({ reason }) => `note: trying again: ${reason}`,
  tool_call: ({ tool, refused }) => (refused === undefined ? undefined : `warning: ${tool} refused: ${refused}`),
};
