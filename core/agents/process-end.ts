import { messageOf } from '../errors';
import type { AbortCode } from '../contract/api';
import type { CallAborted } from '../providers/call-clock';
import type { EndCode, ProcessEnd } from '../record/process-event';
import { ProcessFailed } from './failures';
import type { StepAnswer } from './step';

export type KillReason = Exclude<AbortCode, 'timeout'>;

export const KILL_MESSAGES: Record<KillReason, string> = {
  killed: 'Ctrl-C, a command or the dashboard ended it',
  client_gone: 'the command that started it is gone',
  shutdown: 'the daemon was stopped',
};

export const RAISE_LIMIT = 'raise max_tokens of the provider in providers.yaml, or lower the reasoning effort';

export function endOfAnswer({ finish, text }: StepAnswer): ProcessEnd {
  if (finish === 'content_filter') {
    return failed('content_filter', 'the content filter of the backend stopped the answer', 'say it in other words');
  }
  if (finish === 'length' && text === '') {
    return failed('no_text', 'the token limit was reached before any text', RAISE_LIMIT);
  }
  return { state: 'done', reason: 'finished' };
}

export function endOfError(error: unknown, signal: AbortSignal): ProcessEnd {
  if (signal.aborted) {
    const { code, message } = signal.reason as CallAborted & { code: KillReason };
    return { state: 'killed', reason: code, message };
  }
  if (error instanceof ProcessFailed) {
    const { reason, code, message, hint } = error;
    return { state: 'failed', reason, code, message, hint };
  }
  return failed('internal_error', `drivebay failed on this process: ${messageOf(error)}`);
}

function failed(code: EndCode, message: string, hint?: string): ProcessEnd {
  return { state: 'failed', reason: 'error', code, message, hint };
}
