import type { RequestEvent } from '../events/live-event';
import type { ChatRecord } from './chat-completions';

/** What is told of a chat that is over to whoever watches. */
export function endEvent(provider: string, { status, usage, costUsd, error }: ChatRecord, ms: number): RequestEvent {
  return {
    type: 'end',
    provider,
    status,
    ms: Math.round(ms),
    ...(usage && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(error && { error: error.message }),
  };
}
