import type { ProcessEvent } from '../../record/process-event';
import type { ProcessView } from '../../record/process-view';
import { formatDuration, shorten } from '../terminal/format';

const DETAIL_LENGTH = 60;

/** What the user is told on stderr about an event, while the answer goes to stdout; undefined: nothing. */
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

/** The live line of a process: who works, at what, and for how long. */
export function describeProgress({ pid, state, provider, steps, createdAt }: ProcessView, doing: string): string {
  const parts = [`process ${pid}`, ...(provider === undefined ? [] : [provider])];
  if (state === 'created') parts.push('waiting for its turn');
  else if (steps.length > 1) parts.push(`step ${steps.length}`);
  if (doing) parts.push(doing);
  return [...parts, formatDuration(Date.now() - createdAt)].join(' · ');
}

/** What a process does from this event on; undefined: what it did before. */
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
