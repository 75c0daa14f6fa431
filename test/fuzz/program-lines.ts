import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RunReader } from '../../plugins/_shared/cli/cli-run';
import { EventReader as AlphaReader } from '../../plugins/alpha-cli/event-reader';
import { EventReader as BetaReader } from '../../plugins/beta-cli/event-reader';
import { EventReader as DeltaReader } from '../../plugins/delta-cli/event-reader';
import { ThreadReader } from '../../plugins/delta-cli/thread-reader';
import { UpdateReader } from '../../plugins/gamma-cli/acp/update-reader';
import { OutputReader } from '../../plugins/gamma-cli/output-reader';
import { recordedLines, recordingNames } from '../plugins/recordings';
import { repository } from '../setup/repository';
import { mutated } from './mutated';

type Program = Parameters<typeof recordingNames>[0];

const deadline = Infinity;
const endsAtLimit = false;

/** The readers of every driver of an agent CLI, with what their programs have really said. */
export const programReaders: Readonly<Record<string, { make: () => RunReader; lines: () => unknown[] }>> = {
  'alpha-cli': {
    make: () => new AlphaReader({ endsAtLimit, refusesRestart: true, deadline, spent: { costUsd: 0 } }),
    lines: () => recorded('claude'),
  },
  'beta-cli': { make: () => new BetaReader(false), lines: () => recorded('cursor') },
  'gamma-cli': {
    make: () => new OutputReader({ refusesRestart: false, deadline }),
    lines: () => [...recorded('gemini'), ...recorded('qwen')],
  },
  'gamma-cli, kept': {
    make: () => new UpdateReader('qwen', deadline, () => ({ type: 'tool_call', index: 0, id: 'c', name: 'f' })),
    lines: () => UPDATES,
  },
  'delta-cli': { make: () => new DeltaReader(false, { input_tokens: 1 }), lines: () => recorded('codex') },
  'delta-cli, kept': {
    make: () => new ThreadReader({ usesProxy: false, isStreamed: true, before: {} }),
    lines: () => notifications(),
  },
};

const update = (sessionUpdate: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate, content: { type: 'text', text: 'Hi' }, ...more } },
});
const UPDATES: object[] = [
  update('agent_message_chunk', { _meta: { usage: { inputTokens: 3, outputTokens: 1, cachedReadTokens: 1 } } }),
  update('agent_thought_chunk'),
  update('tool_call', { toolCallId: 't', title: 'x', rawInput: {} }),
];

/** The lines of one run: each nearly one that the program has said, and now and then none at all. */
export function runs(lines: readonly unknown[]): fc.Arbitrary<string[]> {
  const line = mutated(lines).map((value) => JSON.stringify(value) ?? '');
  return fc.tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.nat(9)).map(([texts, harm]) => {
    if (harm === 0) texts.push(texts[0]!.slice(0, texts[0]!.length / 2));
    return texts;
  });
}

/** That a reader takes whatever lines come, in the way its driver gives them to it. */
export function checkRun(reader: RunReader, lines: readonly string[]): void {
  for (const line of lines) {
    const reading = reader.read(valueIn(line), line);
    for (const event of reading?.events ?? [])
      if (typeof event.type !== 'string') throw new Error('an event of no type');
    reader.readErrorLine?.(line);
    if (reading?.outcome) break;
  }
  reader.end?.();
}

function recorded(program: Program): unknown[] {
  return distinct(recordingNames(program).flatMap((name) => recordedLines(program, name)));
}

function notifications(): unknown[] {
  const folder = join(repository, 'test/fixtures/codex/app-server');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return distinct(files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
}

/** Recordings are full of the same: one value of each set of fields is enough. */
function distinct(lines: readonly string[]): unknown[] {
  const kinds = new Map<string, unknown>();
  for (const line of lines) {
    const value = valueIn(line);
    if (typeof value !== 'object' || value === null || line.length > 20_000) continue;
    const { type, subtype, method, event, item } = value as Record<string, { type?: unknown } | undefined>;
    kinds.set(JSON.stringify([type, subtype, method, event?.type, item?.type, Object.keys(value)]), value);
  }
  return [...kinds.values()];
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
