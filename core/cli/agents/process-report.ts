import type { ProcessEvent } from '../../record/process-event';
import type { ProcessView } from '../../record/process-view';
import { formatDuration, shorten } from '../terminal/format';

const DETAIL_LENGTH = 60;

/** The line on stderr for an event. Undefined for an event that the user need not know. */
export function reportEvent(event: ProcessEvent, { pid }: ProcessView): string | undefined {
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
export function describeProgress({ pid, state, provider, steps, createdAt }: ProcessView, doing: string): string {
  const parts = [`process ${pid}`];
  if (provider !== undefined) parts.push(provider);
  if (state === 'created') parts.push('waiting for its turn');
  else if (steps.length > 1) parts.push(`step ${steps.length}`);
  if (doing) parts.push(doing);
  return [...parts, formatDuration(Date.now() - createdAt)].join(' · ');
}

/** What a process does from this event on. Undefined where an event changes nothing. */
export function describeDoing(event: ProcessEvent): string | undefined {
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
