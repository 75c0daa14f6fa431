import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { readProcess, readProcesses } from '../../core/record/read-processes';
import { until } from '../setup/until';
import { DONE, eventsOf, newState, openStore, ORIGIN, reopen } from './store';

const program = join(newState(), 'writer.js');
const children: ChildProcess[] = [];

/** A daemon that writes the records of ten processes as fast as it can, until it is killed. */
const WRITER = `
  import { EventStream } from './core/record/event-stream';
  import { Redactor } from './core/contract/redact';
  import { ProcessStore } from './core/record/process-store';
  const log = { debug() {}, info() {}, warn: console.error, error: console.error };
  const [, , state, daemon] = process.argv as [string, string, string, string];
  const parts = { stream: new EventStream(), redactor: new Redactor(), log };
  const store = new ProcessStore({ state, daemon, isAlive: () => false, ...parts });
  const records = Array.from({ length: 10 }, () => store.create({ intent: 'x', workingDirectory: '/' }));
  records[0]!.add({ type: 'exit', state: 'done', reason: 'finished' });
  const fields = { text: 'ü'.repeat(20_000) };
  const go = () => {
    for (const record of records) record.add({ type: 'driver', step: 1, event: 'noise', fields });
    setImmediate(go);
  };
  go();
`;

beforeAll(() => {
  const stdin = { contents: WRITER, resolveDir: resolve(__dirname, '../..'), loader: 'ts' as const };
  buildSync({ stdin, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
});

afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

function startWriter(state: string, daemon: string): ChildProcess {
  const child = spawn(process.execPath, [program, state, daemon], { stdio: ['ignore', 'inherit', 'inherit'] });
  children.push(child);
  return child;
}

const textOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

test('after kill -9 in the middle of writing every record is readable, and the next daemon ends it', async () => {
  const state = newState();
  const last = join(state, 'processes/10.ndjson');
  for (const round of [1, 2, 3]) {
    const child = startWriter(state, `killed ${round}`);
    const noisy = join(state, `processes/${round * 10}.ndjson`);
    await until(() => textOf(noisy).includes('noise'));
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  expect(textOf(last)).not.toBe('');
  // Without a daemon the list says that none of them runs.
  const before = await readProcesses(state, () => false);
  expect(before.filter(({ pid }) => pid % 10 !== 1).map(({ end }) => end?.reason)).toEqual(
    Array(before.length - 3).fill('daemon_died'),
  );
  const { warnings } = await reopen(state);
  const after = await readProcesses(state, () => true);
  expect(after.map(({ pid }) => pid)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  for (const { pid, end, endedAt } of after) {
    const events = await eventsOf(state, pid);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at));
    expect(events.filter(({ type }) => type === 'exit')).toHaveLength(1);
    expect(events.at(-1)!.time).toBe(endedAt);
    if (pid % 10 === 1) expect(end?.reason).toMatch(/finished|daemon_died/);
    else expect(end).toMatchObject({ state: 'failed', reason: 'daemon_died' });
  }
  expect(warnings).toEqual([]);
});

test('a line that was torn, also inside of a letter, takes nothing else with it', async () => {
  const { state, ...first } = openStore();
  const record = first.store.create(ORIGIN);
  record.add({ type: 'notice', level: 'info', message: 'a whole line' });
  record.add({ type: 'notice', level: 'info', message: 'a torn line ü' });
  await first.store.close();
  const file = join(state, 'processes/1.ndjson');
  const bytes = readFileSync(file);
  truncateSync(file, bytes.indexOf(Buffer.from('ü')) + 1);
  appendFileSync(join(state, 'processes/index.ndjson'), '{"pid":1,"uuid":"x","st');
  const { store } = openStore(state, { daemon: 'next' });
  await store.open();
  const added = store.create(ORIGIN);
  added.add(DONE);
  await store.close();
  expect((await eventsOf(state, 1)).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
    '0 created',
    '1 notice',
    '2 exit',
  ]);
  const list = (await store.list()).map(({ pid, end }) => `${pid} ${end?.reason}`);
  expect(list).toEqual(['1 daemon_died', '2 finished']);
});

test('without a daemon the list says how far a process came, and not how its line in the index began', async () => {
  const { state, store } = openStore();
  for (const end of [true, false]) {
    const record = store.create(ORIGIN);
    record.add({ type: 'step', step: 1, provider: 'p' });
    record.add({ type: 'step_end', step: 1, ms: 1, finish: 'stop', costUsd: 0.5 });
    if (end) record.add(DONE);
    await record.flush();
  }
  await store.close();
  const index = join(state, 'processes/index.ndjson');
  const begun = readFileSync(index, 'utf8').match(/^.*"state":"created".*\n/gm)!;
  expect(begun).toHaveLength(2);
  writeFileSync(index, begun.join(''));
  const list = await readProcesses(state, () => false);
  expect(list).toMatchObject([
    { pid: 1, state: 'done', steps: 1, costUsd: 0.5 },
    { pid: 2, state: 'failed', steps: 1, costUsd: 0.5, end: { reason: 'daemon_died' } },
  ]);
  expect(list[1]!.endedAt).toBe((await eventsOf(state, 2)).at(-1)!.time);
});

test('the processes of another daemon that runs are left alone', async () => {
  const state = newState();
  const other = openStore(state, { daemon: 'other' });
  other.store.create(ORIGIN);
  await other.store.close();
  const { store } = await reopen(state, { isAlive: (daemon) => daemon === 'other' });
  expect((await readProcess(state, 1))!.view.state).toBe('created');
  expect((await store.list())[0]!.end).toBeUndefined();
});

test('an index that is lost, or garbage, is made anew from the records', async () => {
  const { state, ...first } = openStore();
  for (const reason of ['finished', 'error'] as const) {
    first.store.create(ORIGIN).add({ type: 'exit', state: 'done', reason });
  }
  await first.store.close();
  writeFileSync(join(state, 'processes/index.ndjson'), 'garbage\n{"pid":"x"}\nnull\n[]\n');
  const { store } = await reopen(state);
  const list = (await store.list()).map(({ pid, end }) => `${pid} ${end?.reason}`);
  expect(list).toEqual(['1 finished', '2 error']);
});

test('a record whose first line was never finished is no process, and its pid is taken', async () => {
  const { state, ...first } = openStore();
  first.store.create(ORIGIN);
  await first.store.close();
  writeFileSync(join(state, 'processes/2.ndjson'), '{"seq":0,"time":1,"ty');
  const { store } = openStore(state);
  await store.open();
  expect((await store.list()).map(({ pid }) => pid)).toEqual([1]);
  expect(store.create(ORIGIN).pid).toBe(3);
  await store.close();
});
