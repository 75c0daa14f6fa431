import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent } from 'drivebay/plugin';
import type { Outcome } from '../../../plugins/_shared/cli/cli-run';
import { EventReader, type EventReaderOptions } from '../../../plugins/alpha-cli/event-reader';
import { repository } from '../../setup/source-files';

const PATIENT: EventReaderOptions = {
  endsAtLimit: false,
  refusesRestart: true,
  deadline: Number.MAX_SAFE_INTEGER,
};

export interface ReadRun {
  reader: EventReader;
  outcome: Outcome | undefined;
  /** What the log would say. */
  warnings: string[];
  events: ChatEvent[];
  text: string;
  reasoning: string;
}

/** Reads lines up to the one that ends the run, as the driver does. */
export function readLines(lines: readonly unknown[], options: Partial<EventReaderOptions> = {}): ReadRun {
  const reader = new EventReader({ ...PATIENT, ...options });
  const events: ChatEvent[] = [];
  const warnings: string[] = [];
  let outcome: Outcome | undefined;
  for (const line of lines) {
    const reading = reader.read(line);
    events.push(...(reading?.events ?? []));
    if (reading?.warning) warnings.push(reading.warning);
    outcome = reading?.outcome;
    if (outcome) break;
  }
  const join = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('');
  return { reader, outcome, warnings, events, text: join('text'), reasoning: join('reasoning') };
}

export function transcript(name: string): string {
  return readFileSync(join(repository, 'test/fixtures/claude', `${name}.jsonl`), 'utf8');
}

/** The lines of a recorded run of claude 2.1.197. */
export function recorded(name: string): Record<string, unknown>[] {
  return transcript(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
