import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent } from 'drivebay/plugin';
import { EventReader } from '../../../plugins/beta-cli/event-reader';
import type { Outcome } from '../../../plugins/_shared/cli/cli-run';
import { textOf } from '../cli-harness';
import { repository } from '../../setup/source-files';

export const TRANSCRIPTS = ['documented', 'partial-reconstructed'];

export function transcript(name: string): string {
  return readFileSync(join(repository, 'test/fixtures/cursor', `stream-json-${name}.jsonl`), 'utf8');
}

export function recorded(name: string): object[] {
  return transcript(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
}

export interface ReadRun {
  reader: EventReader;
  events: ChatEvent[];
  outcome: Outcome | undefined;
  text: string;
}

/** Reads lines up to the one that ends the run, as the driver does. */
export function readLines(lines: readonly unknown[], refusesRestart = true): ReadRun {
  const reader = new EventReader(refusesRestart);
  const events: ChatEvent[] = [];
  let outcome: Outcome | undefined;
  for (const line of lines) {
    const reading = reader.read(line);
    events.push(...(reading?.events ?? []));
    outcome = reading?.outcome;
    if (outcome) break;
  }
  return { reader, events, outcome, text: textOf(events) };
}
