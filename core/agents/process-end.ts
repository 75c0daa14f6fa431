import { messageOf } from '../errors';
import type { ProcessEnd } from '../record/process-event';
import type { CallAborted } from '../providers/call-clock';
import { ProcessStopped } from './process-stopped';
import type { StepAnswer } from './step';
import { StepFailed } from './step-failed';
import { BothFailed } from './work';

/** How a process ends whose last answer is this one. */
export function endOfAnswer({ finish, text }: StepAnswer): ProcessEnd {
  if (finish === 'content_filter') {
    return failed('content_filter', 'the content filter of the backend stopped the answer', 'say it in other words');
  }
  if (finish === 'length' && text === '') {
    return failed('no_text', 'the token limit was reached before any text', RAISE_LIMIT);
  }
  return { state: 'done', reason: 'finished' };
}

/** What to do about an answer that was cut. */
export const RAISE_LIMIT = 'raise max_tokens of the provider in providers.yaml, or lower the reasoning effort';

/** How a process ends that was stopped by something. */
export function endOfError(error: unknown, signal: AbortSignal): ProcessEnd {
  if (signal.aborted) return killed(signal.reason);
  if (error instanceof ProcessStopped) return error.toEnd();
  if (error instanceof StepFailed) {
    const { code, hint } = error.failure;
    return failed(code, error.message, hint);
  }
  if (error instanceof BothFailed) {
    const { first, second } = error;
    const hints = [first, second].flatMap(({ device, failure: { hint } }) => (hint ? [`${device.name}: ${hint}`] : []));
    return failed(second.failure.code, error.message, hints.length > 0 ? hints.join('; ') : undefined);
  }
  return failed('internal_error', `drivebay failed on this process: ${messageOf(error)}`);
}

function killed(reason: unknown): ProcessEnd {
  const { code, message } = reason as CallAborted;
  return { state: 'killed', reason: code, message };
}

function failed(code: string, message: string, hint?: string): ProcessEnd {
  return { state: 'failed', reason: 'error', code, message, ...(hint !== undefined && { hint }) };
}
