import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redactor } from '../../core/contract/redact';
import { readProcess, readProcesses } from '../../core/record/read-processes';
import { until } from '../setup/until';
import { DONE, eventsOf, newState, openStore, ORIGIN, textOf } from './store';

const RESOLVE = {
  type: 'resolve',
  provider: 'p',
  driver: 'd',
  driverKind: 'http',
  model: 'm',
  effort: 'high',
  decidedBy: { provider: '--provider' },
} as const;
const USAGE = { inputTokens: 100, outputTokens: 5, cachedInputTokens: 40, cacheWriteInputTokens: 20 };

test('the events of a process are its record, and their fold is the row of ps', async () => {
  const { state, store } = openStore();
  const record = store.create({ ...ORIGIN, project: '/work', name: 'greeter' });
  record.add(RESOLVE);
  record.add({ type: 'running' });
  record.add({ type: 'step', step: 1, provider: 'p', model: 'm' });
  record.add({ type: 'text', step: 1, text: 'Hello' });
  record.add({ type: 'step_end', step: 1, ms: 12, finish: 'stop', usage: USAGE, costUsd: 0.5 });
  record.add(DONE);
  await store.close();
  const types = (await eventsOf(state, 1)).map(({ seq, type }) => `${seq} ${type}`);
  expect(types).toEqual(['0 created', '1 resolve', '2 running', '3 step', '4 text', '5 step_end', '6 exit']);
  expect((await readProcess(state, 1))!.view).toEqual(record.view);
  expect(await readProcesses(state, () => false)).toEqual([
    {
      ...ORIGIN,
      ...{ pid: 1, uuid: record.view.uuid, daemon: 'this', project: '/work', name: 'greeter', state: 'done' },
      ...{ provider: 'p', driver: 'd', model: 'm', effort: 'high', steps: 1, usage: USAGE, costUsd: 0.5 },
      ...{ createdAt: expect.any(Number), startedAt: expect.any(Number), endedAt: expect.any(Number) },
      end: { state: 'done', reason: 'finished' },
    },
  ]);
});

test('only the user has access to the records', async () => {
  const { state, store } = openStore();
  store.create(ORIGIN).add({ type: 'running' });
  await store.close();
  const modes = ['', 'processes', 'processes/1.ndjson', 'processes/index.ndjson'].map((path) =>
    (statSync(join(state, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600', '600']);
});

test('every event reaches the stream as it comes, and an event after the end is left out', async () => {
  const { state, store, stream } = openStore();
  const since = stream.lastId;
  const record = store.create({ ...ORIGIN, project: '/work' });
  for (const text of ['a', 'b']) record.add({ type: 'text', step: 1, text });
  record.add(DONE);
  record.add({ type: 'driver', step: 1, event: 'late', fields: {} });
  const process = { kind: 'process', pid: 1, uuid: record.view.uuid, project: '/work' };
  expect(stream.read(since)).toMatchObject(
    ['created', 'text', 'text', 'exit'].map((type, seq) => ({ ...process, event: { seq, type } })),
  );
  await store.close();
  // Joined text has the number of its last piece: a reader of the record goes on with higher numbers.
  expect((await eventsOf(state, 1)).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
    '0 created',
    '2 text',
    '3 exit',
  ]);
});

test('pids are small, grow, and are not given twice, also after a restart and beside another daemon', async () => {
  const { state, ...first } = openStore();
  const beside = openStore(state, { daemon: 'other' });
  const pids = [first, beside, first, beside].map(({ store }) => store.create(ORIGIN).pid);
  expect(pids).toEqual([1, 2, 3, 4]);
  await Promise.all([first.store.close(), beside.store.close()]);
  // The index may be lost; the records say which pids are taken.
  writeFileSync(join(state, 'processes/index.ndjson'), '{"pid":9,"uu');
  const { store } = openStore(state);
  expect(store.create(ORIGIN).pid).toBe(5);
  await store.close();
});

test('the list shows running processes as they are now, and ended ones from disk', async () => {
  const { store } = openStore();
  const [first, second] = [store.create(ORIGIN), store.create(ORIGIN)];
  first.add({ type: 'exit', state: 'failed', reason: 'error', message: 'it broke' });
  second.add({ type: 'running' });
  const states = async () => (await store.list()).map(({ pid, state }) => `${pid} ${state}`);
  expect(await states()).toEqual(['1 failed', '2 running']);
  await store.close();
  expect(await states()).toEqual(['1 failed', '2 running']);
});

test('a long intent is whole in the record and short in the list', async () => {
  const { state, store } = openStore();
  store.create({ ...ORIGIN, intent: 'x'.repeat(100_000) });
  await store.close();
  expect((await readProcess(state, 1))!.view.intent).toHaveLength(100_000);
  expect((await store.list())[0]!.intent).toHaveLength(200);
});

test('no key reaches a file, in whatever event or pieces, and the text of the model reaches the stream as it is', async () => {
  const key = 'sk-"planted"/7d1e5a90c3';
  const redactor = new Redactor();
  redactor.add(key);
  const { state, store, stream } = openStore(newState(), { redactor });
  const since = stream.lastId;
  const record = store.create({ ...ORIGIN, intent: `use ${key}` });
  record.add({ type: 'metadata', provider: 'p', values: { [key]: key } });
  record.add({ type: 'step', step: 1, provider: 'p' });
  record.add({ type: 'driver', step: 1, event: 'spawn', fields: { args: ['--key', key], deep: [{ key }] } });
  record.add({ type: 'text', step: 1, text: `The key is ${key.slice(0, 9)}` });
  // Gathered text is written after a while, but never half a key.
  await until(async () => (await eventsOf(state, 1)).some(({ type }) => type === 'driver'));
  record.add({ type: 'text', step: 1, text: `${key.slice(9)}, really` });
  record.add({ type: 'tool_call', step: 1, id: 'c', tool: 't', arguments: JSON.stringify({ key }) });
  record.add({ type: 'tool_result', step: 1, id: 'c', text: key, isError: false, ms: 1 });
  record.add({ type: 'exit', state: 'failed', reason: 'error', message: `bad key ${key}`, hint: key });
  await store.close();
  const folder = join(state, 'processes');
  const forms = [key, JSON.stringify(key).slice(1, -1), 'planted', '7d1e5a90c3'];
  for (const file of readdirSync(folder)) {
    const content = readFileSync(join(folder, file), 'utf8');
    for (const form of forms) expect(content).not.toContain(form);
  }
  expect(textOf(await eventsOf(state, 1))).toBe('The key is [redacted], really');
  const live = stream.read(since).flatMap((item) => (item.kind === 'process' ? [item.event] : []));
  expect(textOf(live)).toBe(`The key is ${key}, really`);
});

test('a report of a driver that cannot be written becomes a notice', async () => {
  const { state, store } = openStore();
  const circle: Record<string, unknown> = { size: 10n };
  const record = store.create(ORIGIN);
  record.add({ type: 'driver', step: 1, event: 'size', fields: { ...circle } });
  circle.self = circle;
  record.add({ type: 'driver', step: 1, event: 'circle', fields: circle });
  await store.close();
  expect(await eventsOf(state, 1)).toMatchObject([
    { type: 'created' },
    { type: 'driver', fields: { size: '10' } },
    { type: 'notice', level: 'warn', message: expect.stringMatching(/driver cannot be written/) },
  ]);
});

// A file where a folder should be: fails for every user, root included.
test.each(['.', 'state', 'state/processes'])('a file at %s costs one warning and no process', async (place) => {
  const root = newState();
  mkdirSync(dirname(join(root, place)), { recursive: true });
  writeFileSync(join(root, place), '');
  const { store, warnings } = openStore(join(root, 'state'));
  await store.open();
  const records = [store.create(ORIGIN), store.create(ORIGIN)];
  for (const record of records) record.add({ type: 'running' });
  records[0]!.add(DONE);
  await store.close();
  expect(records.map(({ pid }) => pid)).toEqual([1, 2]);
  expect(records.map(({ view }) => view.state)).toEqual(['done', 'running']);
  expect(warnings).toEqual([expect.stringMatching(/^records of processes cannot be kept in .*state-.*ENOTDIR/)]);
});

test('records go on when the disk is there again', async () => {
  const { state, store, warnings } = openStore();
  store.create(ORIGIN);
  await store.close();
  const record = store.create(ORIGIN);
  await record.flush();
  rmSync(join(state, 'processes'), { recursive: true });
  writeFileSync(join(state, 'processes'), '');
  record.add({ type: 'notice', level: 'info', message: 'lost' });
  await record.flush();
  rmSync(join(state, 'processes'));
  record.add({ type: 'notice', level: 'info', message: 'kept' });
  await record.flush();
  const lost = expect.stringMatching(
    /^the record of this run is not kept in \S+\/processes, .* XDG_STATE_HOME=<absolute path>$/,
  ) as string;
  expect(await eventsOf(state, 2)).toMatchObject([
    { seq: 2, level: 'warn', message: lost },
    { seq: 3, message: 'kept' },
  ]);
  expect(warnings).toHaveLength(1);
});
