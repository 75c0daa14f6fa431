import type { RequestEvent } from '../record/live-event';
import { pickUsage } from '../record/usage';
import type { ChatRecord } from './chat-completions';

/** What is told of a chat that is over to whoever watches. */
export function endEvent(provider: string, { status, usage, costUsd, error }: ChatRecord, ms: number): RequestEvent {
  return {
    type: 'end',
    status,
    ms: Math.round(ms),
    provider,
    ...(usage && { usage: pickUsage(usage) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(error && { error: error.message }),
  };
}
