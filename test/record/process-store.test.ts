import { readdirSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../core/contract/redact';
import { readProcess, readProcesses } from '../../core/record/read-processes';
import { tempFolder } from '../setup/temp-folder';
import { eventsOf, openStore, ORIGIN, until } from './store';

const root = tempFolder();
let count = 0;
const newState = () => join(root, `state-${++count}`);

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

test('the events of a process are its record, and add up to what ps shows', async () => {
  const state = newState();
  const { store } = openStore(state);
  const record = store.create({ ...ORIGIN, project: '/work', name: 'greeter' });
  record.add(RESOLVE);
  record.add({ type: 'running' });
  record.add({ type: 'step', step: 1, provider: 'p', model: 'm' });
  record.add({ type: 'text', step: 1, text: 'Hello' });
  record.add({ type: 'step_end', step: 1, ms: 12, finish: 'stop', usage: USAGE, costUsd: 0.5 });
  record.add({ type: 'exit', state: 'done', reason: 'finished' });
  await store.close();
  const types = (await eventsOf(state, 1)).map(({ seq, type }) => `${seq} ${type}`);
  expect(types).toEqual(['0 created', '1 resolve', '2 running', '3 step', '4 text', '5 step_end', '6 exit']);
  expect((await readProcess(state, 1))!.view).toEqual(record.view);
  expect(readProcesses(state, () => false)).toEqual([
    {
      ...ORIGIN,
      ...{ pid: 1, uuid: record.view.uuid, daemon: 'this', project: '/work', name: 'greeter', state: 'done' },
      ...{ provider: 'p', driver: 'd', model: 'm', effort: 'high', steps: 1, usage: USAGE, costUsd: 0.5 },
      ...{ createdAt: expect.any(Number), startedAt: expect.any(Number), endedAt: expect.any(Number) },
      end: { state: 'done', reason: 'finished' },
    },
  ]);
});

test('only the user gets at the records', async () => {
  const state = newState();
  const { store } = openStore(state);
  store.create(ORIGIN).add({ type: 'running' });
  await store.close();
  const modes = ['', 'processes', 'processes/1.ndjson', 'processes/index.ndjson'].map((path) =>
    (statSync(join(state, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600', '600']);
});

test('every event is told to whoever watches, as it comes', async () => {
  const { store, stream } = openStore(newState());
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const batch of stream.subscribe({ signal: stop.signal })) {
      for (const item of batch) if (item.kind === 'process') seen.push(`${item.pid} ${item.event.type}`);
      if (seen.at(-1)?.endsWith('exit')) stop.abort();
    }
  })();
  const record = store.create({ ...ORIGIN, project: '/work' });
  for (const text of ['a', 'b']) record.add({ type: 'text', step: 1, text });
  record.add({ type: 'exit', state: 'done', reason: 'finished' });
  await watching;
  expect(seen).toEqual(['1 created', '1 text', '1 text', '1 exit']);
  await store.close();
});

test('whoever has read the record goes on with the live events of higher numbers', async () => {
  const state = newState();
  const { store, stream } = openStore(state);
  const record = store.create(ORIGIN);
  for (const text of ['one ', 'two ', 'three ']) record.add({ type: 'text', step: 1, text });
  await record.flush();
  record.add({ type: 'text', step: 1, text: 'four' });
  const stop = new AbortController();
  const read = await eventsOf(state, 1);
  let whole = read.map((event) => (event.type === 'text' ? event.text : '')).join('');
  for await (const batch of stream.subscribe({ after: 0, signal: stop.signal })) {
    for (const item of batch) {
      if (item.kind !== 'process' || item.event.seq <= read.at(-1)!.seq) continue;
      if (item.event.type === 'text') whole += item.event.text;
      stop.abort();
    }
  }
  expect(whole).toBe('one two three four');
  await store.close();
});

test('an event after the end is left out', async () => {
  const state = newState();
  const { store } = openStore(state);
  const record = store.create(ORIGIN);
  record.add({ type: 'exit', state: 'killed', reason: 'killed' });
  record.add({ type: 'driver', step: 1, event: 'late', fields: {} });
  await store.close();
  expect((await eventsOf(state, 1)).map(({ type }) => type)).toEqual(['created', 'exit']);
});

test('pids are small, grow, and are not given twice, also after a restart and beside another daemon', async () => {
  const state = newState();
  const [first, beside] = [openStore(state), openStore(state, { daemon: 'other' })];
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
  const state = newState();
  const { store } = openStore(state);
  const [first, second] = [store.create(ORIGIN), store.create(ORIGIN)];
  first.add({ type: 'exit', state: 'failed', reason: 'error', message: 'it broke' });
  second.add({ type: 'running' });
  const states = () => store.list().map(({ pid, state }) => `${pid} ${state}`);
  expect(states()).toEqual(['1 failed', '2 running']);
  expect([store.get(1), store.get(2)]).toEqual([undefined, second]);
  expect(store.running()).toEqual([second]);
  await store.close();
  expect(states()).toEqual(['1 failed', '2 running']);
});

test('a long intent is whole in the record and short in the list', async () => {
  const state = newState();
  const { store } = openStore(state);
  store.create({ ...ORIGIN, intent: 'x'.repeat(100_000) });
  await store.close();
  expect((await readProcess(state, 1))!.view.intent).toHaveLength(100_000);
  expect(store.list()[0]!.intent).toHaveLength(200);
});

test('no key reaches a file, in whatever event or pieces, and the text of the model reaches the watcher as it is', async () => {
  const state = newState();
  const key = 'sk-"planted"/7d1e5a90c3';
  const redactor = new Redactor();
  redactor.add(key);
  const { store, stream } = openStore(state, { redactor });
  const since = stream.lastId;
  const record = store.create({ ...ORIGIN, intent: `use ${key}` });
  record.add({ type: 'metadata', provider: 'p', values: { [key]: key } });
  record.add({ type: 'step', step: 1, provider: 'p' });
  record.add({ type: 'driver', step: 1, event: 'spawn', fields: { args: ['--key', key], deep: [{ key }] } });
  record.add({ type: 'text', step: 1, text: `The key is ${key.slice(0, 9)}` });
  // What is gathered is written after a while: not the half of a key.
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
  const texts = (await eventsOf(state, 1)).flatMap((event) => (event.type === 'text' ? [event.text] : []));
  expect(texts.join('')).toBe('The key is [redacted], really');
  let live = '';
  for await (const batch of stream.subscribe({ after: since, signal: new AbortController().signal })) {
    for (const item of batch) if (item.kind === 'process' && item.event.type === 'text') live += item.event.text;
    break;
  }
  expect(live).toBe(`The key is ${key}, really`);
});

test('what a driver reports and nobody can write becomes a notice', async () => {
  const state = newState();
  const { store } = openStore(state);
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

test('a disk that cannot be written costs one warning and no process', async () => {
  // A file where the folder should be: fails for every user, root included.
  const blocked = join(root, 'blocked');
  writeFileSync(blocked, '');
  const { store, warnings } = openStore(join(blocked, 'state'));
  await store.open();
  const records = [store.create(ORIGIN), store.create(ORIGIN)];
  for (const record of records) record.add({ type: 'running' });
  records[0]!.add({ type: 'exit', state: 'done', reason: 'finished' });
  await store.close();
  expect(records.map(({ pid }) => pid)).toEqual([1, 2]);
  expect(records.map(({ view }) => view.state)).toEqual(['done', 'running']);
  expect(warnings).toEqual([expect.stringMatching(/^records of processes cannot be kept in .*blocked.*ENOTDIR/)]);
});

test('records go on when the disk is there again', async () => {
  const state = newState();
  const { store, warnings } = openStore(state);
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
  expect(await eventsOf(state, 2)).toMatchObject([{ seq: 2, message: 'kept' }]);
  expect(warnings).toHaveLength(1);
});
