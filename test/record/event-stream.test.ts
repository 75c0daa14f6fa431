import { EventStream } from '../../core/record/event-stream';
import type { Gap, LiveEvent, LiveEventBody } from '../../core/record/live-event';

const named = (provider: string): LiveEventBody => ({
  kind: 'provider',
  provider,
  event: { type: 'health', state: 'healthy' },
});

const nameOf = (item: LiveEvent | Gap) =>
  item.kind === 'gap' ? `gap ${item.to - item.from + 1}` : item.kind === 'provider' ? item.provider : item.kind;

/** Reads until so many items are there. */
async function read(stream: EventStream, count: number, options: { after?: number } = {}): Promise<string[]> {
  const stop = new AbortController();
  const items: string[] = [];
  for await (const batch of stream.subscribe({ ...options, signal: stop.signal })) {
    items.push(...batch.map(nameOf));
    if (items.length >= count) stop.abort();
  }
  return items;
}

test('ids grow by one, and no later daemon has a lower one', () => {
  const stream = new EventStream();
  const ids = ['a', 'b', 'c'].map((name) => stream.publish(named(name)).id);
  expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
  expect(stream.lastId).toBe(ids[2]);
  expect(ids[0]).toBeGreaterThan((Date.now() - 60_000) * 1_000);
});

test('a subscriber is told what happens from then on, in batches', async () => {
  const stream = new EventStream();
  stream.publish(named('before'));
  const found = read(stream, 4);
  for (const name of ['a', 'b']) stream.publish(named(name));
  setImmediate(() => ['c', 'd'].forEach((name) => stream.publish(named(name))));
  expect(await found).toEqual(['a', 'b', 'c', 'd']);
});

test('a subscriber goes on after the event it saw last, without gap or repetition', async () => {
  const stream = new EventStream();
  const [, second] = ['a', 'b', 'c'].map((name) => stream.publish(named(name)).id);
  const found = read(stream, 2, { after: second! });
  stream.publish(named('d'));
  expect(await found).toEqual(['c', 'd']);
});

test('what is gone is told as a gap, with its ids', async () => {
  const stream = new EventStream({ events: 3, characters: 1e6 });
  const first = stream.publish(named('a')).id;
  for (const name of ['b', 'c', 'd', 'e']) stream.publish(named(name));
  const batches = stream.subscribe({ after: first - 1, signal: new AbortController().signal });
  for await (const batch of batches) {
    expect(batch[0]).toEqual({ kind: 'gap', from: first, to: first + 1 });
    expect(batch.map(nameOf)).toEqual(['gap 2', 'c', 'd', 'e']);
    break;
  }
});

test('an id of an earlier daemon is answered with a gap, and one from the future with all there is', async () => {
  const stream = new EventStream();
  stream.publish(named('a'));
  expect((await read(stream, 2, { after: 17 })).at(-1)).toBe('a');
  expect(await read(stream, 1, { after: stream.lastId + 5 })).toEqual(['a']);
});

test('a subscriber that does not read costs nothing and is told what it missed', async () => {
  const stream = new EventStream({ events: 10, characters: 1e6 });
  const items: string[] = [];
  const stop = new AbortController();
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let goOn!: () => void;
  const slow = (async () => {
    for await (const batch of stream.subscribe({ signal: stop.signal })) {
      items.push(...batch.map(nameOf));
      if (items.length > 2) stop.abort();
      await new Promise<void>((resolve) => {
        goOn = resolve;
        begin();
      });
      if (stop.signal.aborted) break;
    }
  })();
  stream.publish(named('first'));
  await begun;
  for (let at = 0; at < 100; at++) stream.publish(named(String(at)));
  goOn();
  await new Promise(setImmediate);
  goOn();
  await slow;
  expect(items).toEqual(['first', 'gap 90', ...Array.from({ length: 10 }, (_, at) => String(90 + at))]);
});

test('long texts are kept by their length, not by their number', async () => {
  const stream = new EventStream({ events: 1_000, characters: 2_500 });
  const text = (step: number): LiveEventBody => ({
    kind: 'process',
    pid: 1,
    uuid: 'u',
    event: { seq: step, time: 0, type: 'text', step, text: 'x'.repeat(1_000) },
  });
  const first = stream.publish(text(1)).id;
  for (const step of [2, 3, 4]) stream.publish(text(step));
  expect(await read(stream, 3, { after: first - 1 })).toEqual(['gap 2', 'process', 'process']);
});

test('a single event over the limit still reaches whoever waits', async () => {
  const stream = new EventStream({ events: 10, characters: 1 });
  const found = read(stream, 1);
  stream.publish(named('a long name'));
  expect(await found).toEqual(['a long name']);
});

test('subscribers may come and go while others are told', async () => {
  const stream = new EventStream();
  const stops = Array.from({ length: 5 }, () => new AbortController());
  const reads = stops.map(async (stop, at) => {
    const items: string[] = [];
    for await (const batch of stream.subscribe({ signal: stop.signal })) {
      items.push(...batch.map(nameOf));
      // Each ends its neighbour, which may be waiting or about to read.
      stops[(at + 1) % stops.length]!.abort();
      stop.abort();
    }
    return items;
  });
  stream.publish(named('a'));
  for (const items of await Promise.all(reads)) expect(items.length).toBeLessThanOrEqual(1);
  const later = read(stream, 1);
  stream.publish(named('b'));
  expect(await later).toEqual(['b']);
});

test('a signal ends a subscriber that waits, and leaves no listener behind', async () => {
  const stream = new EventStream();
  const stop = new AbortController();
  const removed = jest.spyOn(stop.signal, 'removeEventListener');
  const added = jest.spyOn(stop.signal, 'addEventListener');
  const found = (async () => {
    const items: string[] = [];
    for await (const batch of stream.subscribe({ signal: stop.signal })) items.push(...batch.map(nameOf));
    return items;
  })();
  stream.publish(named('a'));
  await new Promise(setImmediate);
  stop.abort();
  expect(await found).toEqual(['a']);
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
});
