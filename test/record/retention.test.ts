import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessEvent } from '../../core/record/process-event';
import { summarize } from '../../core/record/process-summary';
import { applyEvent, openView } from '../../core/record/process-view';
import { readProcesses } from '../../core/record/read-processes';
import { DONE, newState, openStore, ORIGIN, reopen } from './store';

const DAY = 24 * 60 * 60 * 1000;

type Given = [endedDaysAgo?: number, bytes?: number];

/** A state folder with processes that ended so many days ago, or still run, and records of so many bytes. */
function given(processes: Given[]): string {
  const state = newState();
  const folder = join(state, 'processes');
  mkdirSync(folder, { recursive: true });
  for (const [index, [ended, bytes = 0]] of processes.entries()) {
    const pid = index + 1;
    const time = Date.now() - (ended ?? 0) * DAY;
    const origin = { pid, uuid: `u-${pid}`, daemon: ended === undefined ? 'alive' : 'gone', ...ORIGIN };
    const created: ProcessEvent = { seq: 0, time, type: 'created', ...origin };
    writeFileSync(join(folder, `${pid}.ndjson`), `${JSON.stringify(created)}\n${' '.repeat(bytes)}`);
    const view = openView(created);
    const lines = [summarize(view)];
    applyEvent(view, { seq: 1, time, ...DONE });
    if (ended !== undefined) lines.push(summarize(view));
    for (const line of lines) appendFileSync(join(folder, 'index.ndjson'), `${JSON.stringify(line)}\n`);
  }
  return state;
}

const retention = { ageMs: 30 * DAY, bytes: 1e6 };

const openAndClose = (state: string, bytes = 1e6) =>
  reopen(state, { isAlive: (daemon) => daemon === 'alive', retention: { ...retention, bytes } });

const pidsOf = async (state: string) => (await readProcesses(state, () => true)).map(({ pid }) => pid);

test.each<[string, Given[], number, number[]]>([
  ['records are kept for 30 days after the end', [[31], [29], [40], [0]], 1e6, [2, 4]],
  ['the last record stays, however old, so that its pid is not used again', [[50], [40]], 1e6, [2]],
  [
    'the oldest records go first when they are too large',
    [
      [1, 10_000],
      [3, 10_000],
      [2, 10_000],
    ],
    25_000,
    [1, 3],
  ],
  ['a process that has not ended stays, however large', [[undefined, 50_000]], 10, [1]],
])('%s', async (_rule, processes, bytes, kept) => {
  const state = given(processes);
  const { store } = await openAndClose(state, bytes);
  expect(await pidsOf(state)).toEqual(kept);
  expect(readdirSync(join(state, 'processes')).sort()).toEqual([...kept.map((pid) => `${pid}.ndjson`), 'index.ndjson']);
  expect(store.create(ORIGIN).pid).toBe(processes.length + 1);
});

test('the index has one line per process afterwards, and none for a record that is gone', async () => {
  const state = given([[1], [1]]);
  const { store } = await openAndClose(state);
  const lines = () => readFileSync(join(state, 'processes/index.ndjson'), 'utf8').trim().split('\n');
  expect(lines()).toHaveLength(2);
  appendFileSync(join(state, 'processes/index.ndjson'), `${lines()[0]!.replace('"pid":1', '"pid":7')}\n`);
  await openAndClose(state);
  expect((await store.list()).map(({ pid }) => pid)).toEqual([1, 2]);
});

test('the files of a killed compaction are removed, and so is an old record that cannot be read', async () => {
  const state = given([[1]]);
  const [left, old, young] = ['.index.ndjson.drivebay-0123abcd', '8.ndjson', '9.ndjson'].map((name) =>
    join(state, 'processes', name),
  );
  for (const file of [left!, old!, young!]) writeFileSync(file, '{"seq":0,');
  const long = new Date(Date.now() - 31 * DAY);
  for (const file of [left!, old!]) utimesSync(file, long, long);
  await openAndClose(state);
  expect([left, old, young].map((file) => existsSync(file!))).toEqual([false, false, true]);
});

test('a process that begins or ends during the compaction keeps its lines', async () => {
  const state = given(Array<Given>(200).fill([31]));
  const { store } = openStore(state, { retention });
  const opening = store.open();
  const records = [];
  for (let at = 0; at < 50; at++) {
    const record = store.create(ORIGIN);
    records.push(record);
    record.add(DONE);
    await new Promise(setImmediate);
  }
  await opening;
  await store.close();
  const list = await readProcesses(state, () => false);
  expect(list.map(({ pid, end }) => `${pid} ${end?.reason}`)).toEqual(records.map(({ pid }) => `${pid} finished`));
});

test('readers see a whole index at any time, also while it is compacted and appended to', async () => {
  const state = given(Array<Given>(50).fill([1]));
  const { store } = openStore(state, { retention });
  let isDone = false;
  const read = async () => {
    const seen = [];
    while (!isDone) {
      seen.push((await readProcesses(state, () => true)).filter(({ pid }) => pid <= 50).length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return seen;
  };
  const readers = [read(), read(), read()];
  for (let at = 0; at < 10; at++) {
    store.create(ORIGIN).add(DONE);
    await openAndClose(state);
  }
  await store.close();
  isDone = true;
  for (const seen of await Promise.all(readers)) {
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen)).toEqual(new Set([50]));
  }
});

test('of 1,000 finished processes each is parsed once, without its first line in the index', async () => {
  const state = given(Array<Given>(1_000).fill([1]));
  const parse = jest.spyOn(JSON, 'parse');
  expect(await pidsOf(state)).toHaveLength(1_000);
  expect(parse).toHaveBeenCalledTimes(1_000);
  parse.mockRestore();
});
