import type { ChatEvent } from 'drivebay/plugin';
import { fieldsOf, textOf } from '../fields';

/** A tool of the agent that begins its work. The first text among its arguments says what it does: a command, a file. */
export function toolActivity(tool: unknown, args: unknown): ChatEvent {
  const detail = Object.values(fieldsOf(args)).find((value) => typeof value === 'string' && value !== '');
  return { type: 'activity', tool: textOf(tool) ?? 'a tool', ...(typeof detail === 'string' && { detail }) };
}
