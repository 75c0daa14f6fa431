import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent, DriverFailure } from 'drivebay/plugin';
import { makeDriverError } from '../../core/contract/driver-error';
import type { Outcome, Reading, RunReader } from '../../plugins/_shared/cli/cli-run';
import {
  explainByRules,
  type FailedRun,
  type FailureReport,
  type FailureRule,
} from '../../plugins/_shared/cli/explain-by-rules';
import { repository } from '../setup/repository';

/** What a real CLI printed. */
export interface Recording {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

type Program = 'claude' | 'codex' | 'cursor' | 'gemini' | 'qwen';

/** A recording by the name of its file without the extension. Some have the standard output only. */
export function recording(program: Program, name: string): Recording {
  const { folder, file } = recordingsOf(program).find((each) => each.name === name)!;
  const text = readFileSync(join(folder, file), 'utf8');
  if (file.endsWith('.jsonl')) return { exitCode: null, stdout: text, stderr: '' };
  const [head = '', rest = ''] = text.split('#---- stdout ----\n');
  const [stdout = '', stderr = ''] = rest.split('\n#---- stderr ----\n');
  const code = /exit=(\d+|null)/.exec(head)?.[1];
  return { exitCode: code === undefined || code === 'null' ? null : Number(code), stdout, stderr };
}

export function recordedLines(program: Program, name: string): string[] {
  return recording(program, name).stdout.split('\n').filter(Boolean);
}

export function recordingNames(program: Program): string[] {
  return recordingsOf(program).map(({ name }) => name);
}

function recordingsOf(program: Program): { name: string; folder: string; file: string }[] {
  const folder = join(repository, 'test/fixtures', program);
  return readdirSync(folder).flatMap((file) => {
    const [, name] = /^(?:exec-)?(.*)\.(?:jsonl|txt)$/.exec(file) ?? [];
    return name === undefined ? [] : [{ name, folder, file }];
  });
}

export interface ReadOutput {
  events: ChatEvent[];
  text: string;
  reasoning: string;
  items: Record<string, unknown>[];
  outcome: Outcome | undefined;
  reader: RunReader;
}

/** Reads lines up to the one that ends the run, as the driver does. A value stands for its line of JSON. */
export function readOutput(reader: RunReader, lines: readonly unknown[]): ReadOutput {
  const readings: Reading[] = [];
  for (const line of lines) {
    const text = typeof line === 'string' ? line : (JSON.stringify(line) ?? '');
    const reading = reader.read(parse(text), text);
    if (reading) readings.push(reading);
    if (reading?.outcome) break;
  }
  const events = readings.flatMap((reading) => reading.events);
  const join = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('');
  return {
    events,
    text: join('text'),
    reasoning: join('reasoning'),
    items: readings.flatMap(({ item }) => (item ? [item] : [])),
    outcome: readings.at(-1)?.outcome,
    reader,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The report of a run that failed. */
export function reportOf({ outcome }: ReadOutput): FailureReport {
  if (outcome?.type !== 'failure') throw new Error(`it did not fail: ${JSON.stringify(outcome)}`);
  return outcome.report;
}

/** Makes the error of a report, as the frame of the drivers does. */
export function explain(
  rules: readonly FailureRule[],
  report: FailureReport,
  run: Partial<FailedRun> = {},
): DriverFailure {
  const plain = { path: '/bin/program', name: 'program', command: 'program', provider: 'local', extraArgs: [] };
  return explainByRules({ error: makeDriverError }, rules, report, {
    ...plain,
    hasActed: false,
    model: 'gpt-x',
    ...run,
  });
}

/** That the text of a run, read up to any line, is how its whole text begins. */
export function expectGrowth(read: (lines: readonly string[]) => ReadOutput, lines: readonly string[]): void {
  const { text } = read(lines);
  const beginnings = lines.map((_, count) => read(lines.slice(0, count)).text);
  expect(beginnings.filter((beginning) => !text.startsWith(beginning))).toEqual([]);
}
