import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessSummary } from '../../core/record/process-summary';
import { readProcesses } from '../../core/record/read-processes';
import { tempFolder } from '../setup/temp-folder';
import { eventsOf, openStore, ORIGIN } from './store';

const DAY = 24 * 60 * 60 * 1000;
const root = tempFolder();
let count = 0;

/** A state folder with processes that ended so many days ago, or have not, and records of so many bytes. */
function given(processes: { pid: number; ended?: number; bytes?: number; daemon?: string }[]): string {
  const state = join(root, `state-${++count}`);
  const folder = join(state, 'processes');
  mkdirSync(folder, { recursive: true });
  for (const { pid, ended, bytes = 0, daemon = 'gone' } of processes) {
    const time = Date.now() - (ended ?? 0) * DAY;
    const origin = { pid, uuid: `u-${pid}`, daemon, ...ORIGIN };
    const created = JSON.stringify({ seq: 0, time, type: 'created', ...origin });
    writeFileSync(join(folder, `${pid}.ndjson`), `${created}\n${' '.repeat(bytes)}`);
    const usage = { inputTokens: 0, outputTokens: 0 };
    const begun: ProcessSummary = { ...origin, state: 'created', createdAt: time, steps: 0, usage, costUsd: 0 };
    const end = { state: 'done', reason: 'finished' } as const;
    const lines = ended === undefined ? [begun] : [begun, { ...begun, state: 'done', endedAt: time, end }];
    for (const line of lines) appendFileSync(join(folder, 'index.ndjson'), `${JSON.stringify(line)}\n`);
  }
  return state;
}

async function openAndClose(state: string, bytes = 1e6) {
  const opened = openStore(state, {
    isAlive: (daemon) => daemon === 'alive',
    retention: { ageMs: 30 * DAY, bytes },
  });
  await opened.store.open();
  await opened.store.close();
  return opened;
}

const pidsOf = (state: string) => readProcesses(state, () => true).map(({ pid }) => pid);
const filesOf = (state: string) => readdirSync(join(state, 'processes')).sort();

test('records are kept for 30 days after the end', async () => {
  const state = given([
    { pid: 1, ended: 31 },
    { pid: 2, ended: 29 },
    { pid: 3, ended: 40 },
    { pid: 4, ended: 0 },
  ]);
  await openAndClose(state);
  expect(pidsOf(state)).toEqual([2, 4]);
  expect(filesOf(state)).toEqual(['2.ndjson', '4.ndjson', 'index.ndjson']);
});

test('the last one stays, however old: the pid of the next process is one that nobody has had', async () => {
  const state = given([
    { pid: 1, ended: 50 },
    { pid: 2, ended: 40 },
  ]);
  const { store } = await openAndClose(state);
  expect(pidsOf(state)).toEqual([2]);
  expect(store.create(ORIGIN).pid).toBe(3);
});

test('the oldest go first when there is too much', async () => {
  const bytes = 10_000;
  const state = given([
    { pid: 1, ended: 1, bytes },
    { pid: 2, ended: 3, bytes },
    { pid: 3, ended: 2, bytes },
  ]);
  await openAndClose(state, 25_000);
  expect(pidsOf(state)).toEqual([1, 3]);
});

test('a process that has not ended stays, however old and large', async () => {
  const state = given([{ pid: 1, bytes: 50_000, daemon: 'alive' }]);
  await openAndClose(state, 10);
  expect(pidsOf(state)).toEqual([1]);
});

test('the index has one line per process afterwards, and none for a record that is gone', async () => {
  const state = given([
    { pid: 1, ended: 1 },
    { pid: 2, ended: 1 },
  ]);
  const { store } = await openAndClose(state);
  const lines = () => readFileSync(join(state, 'processes/index.ndjson'), 'utf8').trim().split('\n');
  expect(lines()).toHaveLength(2);
  appendFileSync(join(state, 'processes/index.ndjson'), `${lines()[0]!.replace('"pid":1', '"pid":7')}\n`);
  await openAndClose(state);
  expect(store.list().map(({ pid }) => pid)).toEqual([1, 2]);
});

test('what a killed compaction left is removed, and so is an old record nobody can read', async () => {
  const state = given([{ pid: 1, ended: 1 }]);
  const [left, old, young] = ['index.ndjson.1-2-3', '8.ndjson', '9.ndjson'].map((name) =>
    join(state, 'processes', name),
  );
  for (const file of [left!, old!, young!]) writeFileSync(file, '{"seq":0,');
  const long = new Date(Date.now() - 31 * DAY);
  utimesSync(old!, long, long);
  await openAndClose(state);
  expect([left, old, young].map((file) => existsSync(file!))).toEqual([false, false, true]);
});

test('a process that begins or ends during the compaction keeps its lines', async () => {
  const state = given(Array.from({ length: 200 }, (_, at) => ({ pid: at + 1, ended: 31 })));
  const { store } = openStore(state, { retention: { ageMs: 30 * DAY, bytes: 1e6 } });
  const opening = store.open();
  const records = [];
  for (let at = 0; at < 50; at++) {
    const record = store.create(ORIGIN);
    records.push(record);
    record.add({ type: 'exit', state: 'done', reason: 'finished' });
    await new Promise(setImmediate);
  }
  await opening;
  await store.close();
  const list = readProcesses(state, () => false);
  expect(list.map(({ pid, end }) => `${pid} ${end?.reason}`)).toEqual(records.map(({ pid }) => `${pid} finished`));
});

test('readers see a whole index at any time, also while it is compacted and appended to', async () => {
  const state = given(Array.from({ length: 50 }, (_, at) => ({ pid: at + 1, ended: 1 })));
  const { store } = openStore(state, { retention: { ageMs: 30 * DAY, bytes: 1e6 } });
  let isDone = false;
  const read = async () => {
    const seen = [];
    while (!isDone) {
      seen.push(readProcesses(state, () => true).filter(({ pid }) => pid <= 50).length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return seen;
  };
  const readers = [read(), read(), read()];
  for (let at = 0; at < 10; at++) {
    const record = store.create(ORIGIN);
    record.add({ type: 'exit', state: 'done', reason: 'finished' });
    await openAndClose(state);
  }
  await store.close();
  isDone = true;
  for (const seen of await Promise.all(readers)) {
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen)).toEqual(new Set([50]));
  }
});

test('1,000 finished processes are read in a fraction of a program start', async () => {
  const state = given(Array.from({ length: 1_000 }, (_, at) => ({ pid: at + 1, ended: 1 })));
  pidsOf(state);
  const times = { read: [] as number[], start: [] as number[] };
  for (let at = 0; at < 5; at++) {
    const started = performance.now();
    expect(pidsOf(state)).toHaveLength(1_000);
    const isRead = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    times.read.push(isRead - started);
    times.start.push(performance.now() - isRead);
  }
  expect(Math.min(...times.read)).toBeLessThan(Math.min(...times.start) / 2);
  expect(await eventsOf(state, 500)).toHaveLength(1);
});
