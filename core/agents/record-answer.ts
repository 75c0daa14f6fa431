import type { ChatEvent, Logger } from '../contract/api';
import type { LlmDevice } from '../devices/device';
import type { Run } from './run';

/** Puts what concerns the user of an answer into the record. */
export function recordAnswer(run: Run, step: number, { name }: LlmDevice, event: ChatEvent): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      if (event.text !== '') run.add({ type: event.type, step, text: event.text });
      break;
    case 'activity':
      run.add({
        type: 'activity',
        step,
        tool: event.tool,
        ...(event.detail !== undefined && { detail: event.detail }),
      });
      break;
    case 'meta':
      for (const field of event.ignored ?? []) run.warn({ message: `provider "${name}" ignores ${field}` });
      break;
    default:
  }
}

/** The same for what a driver reports of its own. */
export function recordTrace(run: Run, step: number, event: string, fields: Record<string, unknown>): void {
  if (event.endsWith('.retry')) {
    run.add({ type: 'retry', step, reason: typeof fields.reason === 'string' ? fields.reason : event });
  } else run.add({ type: 'driver', step, event, fields });
}

/** Puts what a driver logs into the record. Lines for authors of drivers (`debug`) may be many, and have prompts in them. */
export function recordLog(run: Run, step: number): Logger {
  const at = (level: 'info' | 'warn' | 'error') => (message: string, fields?: Record<string, unknown>) =>
    run.add({ type: 'log', step, level, message, ...(fields && { fields }) });
  return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
}
