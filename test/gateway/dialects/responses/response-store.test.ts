import { type OwnResponses, ResponseStore } from '../../../../core/gateway/dialects/responses/response-store';

const entry = (bytes = 1, ...ids: string[]) => ({ items: ids.map((id) => ({ id })), text: '{}', bytes });
const itemIn = (store: OwnResponses, id: string) => store.items(new Set([id, 'unknown'])).get(id);
const MIB = 1024 * 1024;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a response is kept for an hour', () => {
  const store = new ResponseStore().of();
  store.put('a', entry());
  jest.advanceTimersByTime(60 * 60 * 1000 - 1);
  expect(store.get('a')).toMatchObject(entry());
  jest.advanceTimersByTime(1);
  expect(store.get('a')).toBeUndefined();
});

test('a thousand are kept, and the oldest make room', () => {
  const store = new ResponseStore().of();
  for (let count = 0; count <= 1_000; count += 1) store.put(`r${count}`, entry());
  expect([store.get('r0'), store.get('r1')]).toEqual([undefined, expect.anything()]);
});

test('64 MiB are kept, and what was deleted counts no more', () => {
  const store = new ResponseStore().of();
  store.put('a', entry(40 * MIB));
  expect([store.delete('a'), store.delete('a')]).toEqual([true, false]);
  store.put('b', entry(40 * MIB));
  store.put('c', entry(24 * MIB));
  expect(store.get('b')).toBeDefined();
  store.put('d', entry(1));
  expect([store.get('b'), store.get('c'), store.get('d')].map(Boolean)).toEqual([false, true, true]);
  store.put('e', entry(65 * MIB));
  expect(store.get('e')).toBeUndefined();
});

test('a client that keeps many or large responses loses its own, and no other client loses one', () => {
  const store = new ResponseStore();
  const [ann, bob] = [store.of('ann'), store.of('bob')];
  ann.put('a', entry(4 * MIB));
  for (let count = 0; count <= 1_000; count += 1) bob.put(`r${count}`, entry());
  for (let count = 0; count <= 10; count += 1) bob.put(`large${count}`, entry(30 * MIB));
  expect([ann.get('a'), bob.get('r1000'), bob.get('large10')].map(Boolean)).toEqual([true, false, true]);
  bob.put('all', entry(64 * MIB));
  expect([ann.get('a'), bob.get('all')].map(Boolean)).toEqual([true, false]);
});

test('an item is found as long as a response of the same client has it in its conversation', () => {
  const store = new ResponseStore();
  const own = store.of('ann');
  own.put('a', entry(1, 'x'));
  own.put('b', entry(1, 'x', 'y'));
  expect([itemIn(own, 'x'), itemIn(store.of('bob'), 'x'), itemIn(store.of(), 'x')]).toEqual([
    { id: 'x' },
    undefined,
    undefined,
  ]);
  own.delete('a');
  expect(itemIn(own, 'x')).toEqual({ id: 'x' });
  jest.advanceTimersByTime(60 * 60 * 1000);
  expect([itemIn(own, 'x'), itemIn(own, 'y')]).toEqual([undefined, undefined]);
});

test('an item stays as long as any response has it: deleting a later one gives it back to the one before', () => {
  const store = new ResponseStore();
  const own = store.of('ann');
  own.put('a', entry(1, 'x'));
  store.of('bob').put('a', entry(1, 'x'));
  own.put('b', entry(1, 'x', 'y'));
  own.put('c', entry(1, 'x', 'y'));
  own.delete('c');
  expect([itemIn(own, 'x'), itemIn(own, 'y')]).toEqual([{ id: 'x' }, { id: 'y' }]);
  own.delete('b');
  expect([itemIn(own, 'x'), itemIn(own, 'y')]).toEqual([{ id: 'x' }, undefined]);
  own.delete('a');
  expect(itemIn(own, 'x')).toBeUndefined();
});

test('an item that was sent again with other words is that of the newest response', () => {
  const store = new ResponseStore().of();
  store.put('a', { ...entry(), items: [{ id: 'x', text: 'old' }] });
  store.put('b', { ...entry(), items: [{ id: 'x', text: 'new' }] });
  expect(itemIn(store, 'x')).toEqual({ id: 'x', text: 'new' });
});
