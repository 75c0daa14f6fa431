import { type Gap, EventTail } from '../../core/record/event-tail';
import { collectGarbage } from '../setup/collect-garbage';

const tailOf = (first: number, ...items: string[]): EventTail<string> => {
  const tail = new EventTail<string>(first);
  for (const item of items) tail.add(item);
  return tail;
};
const shown = (items: (string | Gap)[]) => items.map((item) => (typeof item === 'string' ? item : item.kind));

/** Follows until so many items have come. */
async function follow(tail: EventTail<string>, from: number, count: number): Promise<string[]> {
  const items: string[] = [];
  for await (const batch of tail.follow(from)) {
    items.push(...shown(batch));
    if (items.length >= count) break;
  }
  return items;
}

test('dropped items come as a gap with their numbers', () => {
  const tail = tailOf(7, 'a', 'b', 'c', 'd');
  expect([tail.drop(), tail.drop()]).toEqual(['a', 'b']);
  expect([tail.length, tail.firstNumber, tail.lastNumber]).toEqual([2, 9, 10]);
  expect(tail.read(7)).toEqual([{ kind: 'gap', from: 7, to: 8 }, 'c', 'd']);
  expect([tail.read(9, 1), tail.read(10), tail.read(11), tail.read(99)]).toEqual([['c'], ['d'], [], []]);
  expect([tail.drop(), tail.drop(), tail.read(10)]).toEqual(['c', 'd', [{ kind: 'gap', from: 10, to: 10 }]]);
  tail.add('e');
  expect(tail.read(11)).toEqual(['e']);
});

test('numbers stay right however many items come and go', () => {
  const tail = new EventTail<number>(100);
  for (let number = 100; number < 50_000; number += 1) {
    tail.add(number);
    if (tail.length > 1_000 - (number % 7)) expect(tail.drop()).toBe(tail.firstNumber - 1);
  }
  expect(tail.read(0).slice(1)).toEqual(Array.from({ length: tail.length }, (_, index) => tail.firstNumber + index));
  expect(tail.lastNumber).toBe(49_999);
});

test('a full tail takes the room of its items, also after many others', async () => {
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const tail = new EventTail<string>(Date.now() * 1_000);
  for (let count = 0; count < 100_000; count += 1) {
    tail.add('the same');
    if (tail.length > 10_000) tail.drop();
  }
  await collectGarbage();
  // A place of 8 bytes for each, what is added in advance, and what Jest does meanwhile. A map of their numbers takes 1.1 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(600_000);
  expect(tail.length).toBe(10_000);
});

test('many items come in several batches, each once', async () => {
  const items = Array.from({ length: 2_500 }, (_, index) => String(index));
  expect(await follow(tailOf(0, ...items), 0, 2_500)).toEqual(items);
});

test('followers may come and go while others are told', async () => {
  const tail = new EventTail<string>();
  const stops = Array.from({ length: 5 }, () => new AbortController());
  const reads = stops.map(async (stop, index) => {
    const items: string[] = [];
    for await (const batch of tail.follow(0, stop.signal)) {
      items.push(...shown(batch));
      // Each ends its neighbour, which may be waiting or about to read.
      stops[(index + 1) % stops.length]!.abort();
      stop.abort();
    }
    return items;
  });
  tail.add('a');
  for (const items of await Promise.all(reads)) expect(items.length).toBeLessThanOrEqual(1);
  expect(await follow(tail, 0, 1)).toEqual(['a']);
});

test('a signal ends a follower that waits, and leaves no listener behind', async () => {
  const tail = tailOf(0, 'a');
  const stop = new AbortController();
  const removed = jest.spyOn(stop.signal, 'removeEventListener');
  const added = jest.spyOn(stop.signal, 'addEventListener');
  const batches = tail.follow(0, stop.signal);
  expect((await batches.next()).value).toEqual(['a']);
  const next = batches.next();
  expect(added).toHaveBeenCalledTimes(1);
  stop.abort();
  expect((await next).done).toBe(true);
  expect(removed).toHaveBeenCalledTimes(1);
});
