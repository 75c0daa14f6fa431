import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DONE, eventsOf, openStore, ORIGIN, reopen } from './store';

/** A record of another daemon that came after this one had opened its own. */
function givenRecord(state: string, text: string): void {
  mkdirSync(join(state, 'processes'), { recursive: true });
  writeFileSync(join(state, 'processes/7.ndjson'), text);
}

test('a daemon does other things while it reads the records that its index has lost', async () => {
  const { state, store } = openStore();
  const created = { ...ORIGIN, seq: 0, time: 1, type: 'created', pid: 7, uuid: 'u', daemon: 'gone' };
  const texts = Array.from({ length: 10_000 }, (_, at) => ({
    seq: at + 1,
    time: 1,
    type: 'text',
    text: 'x'.repeat(400),
  }));
  givenRecord(state, [created, ...texts].map((event) => `${JSON.stringify(event)}\n`).join(''));
  let turns = 0;
  const other = setInterval(() => (turns += 1));
  const lists = await Promise.all([store.list(), store.list()]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(2);
  for (const list of lists) expect(list).toMatchObject([{ pid: 7, end: { reason: 'daemon_died' } }]);
  await store.close();
});

test('a record without an end has the one that its summary tells, behind everything else', async () => {
  const { state, store } = openStore();
  const created = { ...ORIGIN, seq: 0, time: 1, type: 'created', pid: 7, uuid: 'u', daemon: 'gone' };
  givenRecord(state, `${JSON.stringify(created)}\ntorn\n`);
  const [{ end } = {}] = await store.list();
  const read = await eventsOf(state, 7, end);
  expect(read.map(({ seq, type }) => [seq, type])).toEqual([
    [0, 'created'],
    [1, 'exit'],
  ]);
  expect(read.at(-1)).toMatchObject({ state: 'failed', reason: 'daemon_died' });
  await store.close();
});

test('of a record that does not begin with a process only the beginning is read', async () => {
  const { state, store } = openStore();
  givenRecord(state, '{"seq":1,"time":1,"type":"running"}\n'.repeat(50_000));
  const parse = jest.spyOn(JSON, 'parse');
  expect((await store.read())()).toEqual([]);
  expect(parse.mock.calls.length).toBeLessThan(10);
});

test('another daemon that ends its last process and goes has the last word on it', async () => {
  const { state, store: other } = openStore(undefined, { daemon: 'other' });
  other.create(ORIGIN);
  await other.close();
  let isAlive = true;
  const goes = () => {
    if (isAlive) appendFileSync(join(state, 'processes/1.ndjson'), `${JSON.stringify({ ...DONE, seq: 1, time: 2 })}\n`);
    return (isAlive = false);
  };
  const { store } = await reopen(state, { isAlive: goes });
  expect((await eventsOf(state, 1)).map(({ type }) => type)).toEqual(['created', 'exit']);
  expect(await store.list()).toMatchObject([{ state: 'done' }]);
});
