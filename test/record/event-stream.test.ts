import { EventStream } from '../../core/record/event-stream';
import type { LiveEvent, LiveEventBody } from '../../core/record/live-event';
import type { ProcessEvent, ProcessEventBody } from '../../core/record/process-event';
import type { Gap } from '../../core/record/event-tail';

const named = (provider: string): LiveEventBody => ({
  kind: 'provider',
  provider,
  event: { type: 'health', state: 'healthy' },
});
const of = (uuid: string, seq: number, body: ProcessEventBody): LiveEventBody => ({
  ...{ kind: 'process', pid: 1, uuid },
  event: { seq, time: 0, ...body },
});
const text = (uuid: string, seq: number) => of(uuid, seq, { type: 'text', step: 1, text: 'x'.repeat(1_000) });

const nameOf = (item: LiveEvent | Gap) =>
  item.kind === 'gap' ? `gap ${item.to - item.from + 1}` : item.kind === 'provider' ? item.provider : item.kind;
const seqOf = (item: ProcessEvent | Gap) => ('type' in item ? item.seq : `gap ${item.from}-${item.to}`);

/** The next batch of a subscription. */
const next = async <Item>(batches: AsyncIterable<Item[]>) =>
  ((await batches[Symbol.asyncIterator]().next()) as { value: Item[] }).value;

const { signal } = new AbortController();

test('ids grow by one, and no later daemon has a lower one', () => {
  const stream = new EventStream();
  const ids = ['a', 'b', 'c'].map((name) => stream.publish(named(name)).id);
  expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
  expect(stream.lastId).toBe(ids[2]);
  expect(ids[0]).toBeGreaterThan((Date.now() - 60_000) * 1_000);
});

test('a subscriber gets the events to come, or those after an id', async () => {
  const stream = new EventStream();
  const [, second] = ['a', 'b', 'c'].map((name) => stream.publish(named(name)).id);
  const [later, after] = [next(stream.subscribe(signal)), next(stream.subscribe(signal, second))];
  stream.publish(named('d'));
  expect((await later).map(nameOf)).toEqual(['d']);
  expect((await after).map(nameOf)).toEqual(['c']);
  expect(stream.read(second!).map(nameOf)).toEqual(['c', 'd']);
});

test('an id of another daemon, earlier or from the future, is answered with a gap and all there is', async () => {
  const stream = new EventStream();
  stream.publish(named('a'));
  for (const after of [17, stream.lastId + 5])
    expect((await next(stream.subscribe(signal, after))).map(nameOf)).toEqual([expect.stringMatching('gap'), 'a']);
});

test.each([
  ['by their number', { events: 2, characters: 1e6 }, 4],
  ['by the length of their texts', { events: 1_000, characters: 2_500 }, 4],
  ['but at least one', { events: 10, characters: 1 }, 3],
])('events are kept %s', (_how, limits, count) => {
  const stream = new EventStream(limits);
  const first = stream.publish(text('u', 0)).id;
  for (let seq = 1; seq < count; seq++) stream.publish(text('u', seq));
  const kept = limits.characters === 1 ? ['process'] : ['process', 'process'];
  expect(stream.read(first - 1).map(nameOf)).toEqual(['gap 2', ...kept]);
});

test('a subscription to a process is told of this process alone', async () => {
  const stream = new EventStream();
  for (const seq of [0, 1, 2]) stream.publish(text('mine', seq));
  const batches = stream.subscribeTo('mine', 1, signal);
  expect((await batches.next()).value!.map(seqOf)).toEqual([1, 2]);
  let isTold = false;
  const told = batches.next().then(({ value }) => {
    isTold = true;
    return value!.map(seqOf);
  });
  for (const seq of [0, 1, 2]) stream.publish(text('other', seq));
  await new Promise(setImmediate);
  expect(isTold).toBe(false);
  stream.publish(text('mine', 3));
  expect(await told).toEqual([3]);
});

test('events of a process that made room for others come as a gap', async () => {
  const stream = new EventStream({ events: 3, characters: 1e6 });
  for (const seq of [0, 1, 2]) stream.publish(text('mine', seq));
  for (const seq of [0, 1]) stream.publish(text('other', seq));
  expect((await next(stream.subscribeTo('mine', 0))).map(seqOf)).toEqual(['gap 0-1', 2]);
  stream.publish(of('mine', 3, { type: 'exit', state: 'done', reason: 'finished' }));
  for (const seq of [2, 3, 4]) stream.publish(text('other', seq));
  const batches = stream.subscribeTo('mine', 0);
  expect((await batches.next()).value!.map(seqOf)).toEqual(['gap 0-Infinity']);
  expect((await batches.next()).done).toBe(true);
});
