import type { ProcessEnd } from '../record/process-event';

/** A process has to end although nothing failed: it reached a limit. */
export class ProcessStopped extends Error {
  constructor(
    readonly reason: 'step_limit' | 'context_budget',
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = 'ProcessStopped';
  }

  toEnd(): ProcessEnd {
    const { reason, message, hint } = this;
    return { state: 'failed', reason, message, hint, code: reason };
  }
}
