import type { ChatEvent, Logger } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import type { LlmDevice } from '../devices/device';
import type { ProcessRun } from './process-run';

/** What a driver says during a step, in the record of its process. */
export function recordAnswer(run: ProcessRun, step: number, { name }: LlmDevice, event: ChatEvent): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      if (event.text !== '') run.add({ type: event.type, step, text: event.text });
      break;
    case 'activity':
      run.add({ type: 'activity', step, tool: event.tool, detail: event.detail });
      break;
    case 'meta':
      for (const field of event.ignored ?? []) run.warn({ message: `provider "${name}" ignores ${field}` });
      break;
    default:
  }
}

export function recordTrace(run: ProcessRun, step: number, event: string, fields: Record<string, unknown>): void {
  if (event.endsWith('.retry')) {
    run.add({ type: 'retry', step, reason: typeof fields.reason === 'string' ? fields.reason : event });
  } else run.add({ type: 'driver', step, event, fields });
}

/** Records the lines that a driver logs, except `debug`: those are for its author, many, and may contain prompts. */
export function recordLog(run: ProcessRun, step: () => number): Logger {
  return makeLogger((level, message, fields) => {
    if (level !== 'debug') run.add({ type: 'log', step: step(), level, message, fields });
  });
}
