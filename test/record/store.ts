import { EventStream } from '../../core/record/event-stream';
import type { ProcessEvent } from '../../core/record/process-event';
import type { Logger } from '../../core/contract/api';
import { Redactor } from '../../core/contract/redact';
import { readProcessEvents } from '../../core/record/read-processes';
import { ProcessStore, type StoreOptions } from '../../core/record/process-store';

export const ORIGIN = { intent: 'say hello', workingDirectory: '/work' };

/** A store in a folder, and the warnings it gave. */
export function openStore(state: string, more: Partial<StoreOptions> = {}) {
  const warnings: string[] = [];
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message) => void warnings.push(message),
    error: () => undefined,
  };
  const parts = { stream: new EventStream(), redactor: new Redactor(), log };
  const options = { state, daemon: 'this', isAlive: () => false, ...parts, ...more };
  return { store: new ProcessStore(options), warnings, ...parts };
}

export async function eventsOf(state: string, pid: number): Promise<ProcessEvent[]> {
  const events: ProcessEvent[] = [];
  for await (const event of readProcessEvents(state, pid)) events.push(event);
  return events;
}

/** Waits for something that a file shows. */
export async function until(isTrue: () => unknown): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}
