import { join } from 'node:path';
import type { Logger } from '../../core/contract/api';
import { Redactor } from '../../core/contract/redact';
import { EventStream } from '../../core/record/event-stream';
import type { ProcessEnd, ProcessEvent } from '../../core/record/process-event';
import { ProcessStore, type StoreOptions } from '../../core/record/process-store';
import { readProcessEvents } from '../../core/record/read-processes';
import { tempFolder } from '../setup/temp-folder';

export const ORIGIN = { intent: 'say hello', workingDirectory: '/work' };
export const DONE = { type: 'exit', state: 'done', reason: 'finished' } as const;

const root = tempFolder();
let count = 0;

/** A state folder that does not exist yet. */
export const newState = (): string => join(root, `state-${++count}`);

/** A log that keeps the warnings. */
export function warningLog(): { log: Logger; warnings: string[] } {
  const warnings: string[] = [];
  const quiet = () => undefined;
  return { log: { debug: quiet, info: quiet, warn: (message) => void warnings.push(message), error: quiet }, warnings };
}

/** A store, and the warnings it gave. */
export function openStore(state = newState(), more: Partial<StoreOptions> = {}) {
  const { log, warnings } = warningLog();
  const parts = { stream: new EventStream(), redactor: new Redactor(), ...more };
  const store = new ProcessStore({ state, daemon: 'this', isAlive: () => false, log, ...parts });
  return { state, store, warnings, ...parts };
}

/** What the next daemon makes of a state folder: a store that was opened and closed. */
export async function reopen(state: string, more: Partial<StoreOptions> = {}) {
  const opened = openStore(state, more);
  await opened.store.open();
  await opened.store.close();
  return opened;
}

export async function eventsOf(state: string, pid: number, end?: ProcessEnd): Promise<ProcessEvent[]> {
  const events: ProcessEvent[] = [];
  for await (const event of readProcessEvents(state, pid, end)) events.push(event);
  return events;
}

export const textOf = (events: ProcessEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
