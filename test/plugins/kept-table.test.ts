import type { KeptState } from 'drivebay/plugin';
import { KeptTable, type ProviderKept } from '../../core/plugins/kept-table';

let ended: string[] = [];
beforeEach(() => (ended = []));

const HOUR = 3_600_000;

function keep(kept: ProviderKept, name: string, state: KeptState = 'spare', most = 99, forMs = HOUR) {
  return kept.keep({ state, most, forMs, end: () => void ended.push(name) });
}

test('what is taken back is not ended any more, and what was ended cannot be taken', () => {
  const kept = new KeptTable(() => Infinity).of();
  const [one, other] = [keep(kept, 'one'), keep(kept, 'other')];
  expect([one.take(), one.take()]).toEqual([true, false]);
  kept.close();
  expect([ended, other.take()]).toEqual([['other'], false]);
});

test('it ends after its time', async () => {
  const kept = new KeptTable(() => Infinity).of();
  await new Promise<void>((end) => void kept.keep({ state: 'spare', most: 1, forMs: 5, end }));
  expect(kept.list()).toEqual([]);
});

test('a provider keeps so many in each state, and the longest kept one goes', () => {
  const kept = new KeptTable(() => Infinity).of();
  keep(kept, 'first', 'spare', 1);
  keep(kept, 'another state', 'conversation', 1);
  keep(kept, 'second', 'spare', 1);
  expect([ended, kept.list().map(({ state }) => state)]).toEqual([['first'], ['conversation', 'spare']]);
  keep(kept, 'none at all', 'waiting', 0);
  expect(ended).toEqual(['first', 'none at all']);
  kept.close();
});

test('all providers together keep four that are idle, and what waits for a client does not count', () => {
  const table = new KeptTable(() => Infinity);
  const [one, other] = [table.of(), table.of()];
  keep(one, 'waits', 'waiting');
  for (const name of ['a', 'b', 'c']) keep(one, name);
  for (const name of ['d', 'e']) keep(other, name, 'conversation');
  expect(ended).toEqual(['a']);
  for (let count = 0; count < 32; count += 1) keep(other, `waits ${count}`, 'waiting');
  expect(ended).toEqual(['a', 'waits']);
  one.close();
  other.close();
});

test('a program with many conversations counts once, and goes as a whole', () => {
  const table = new KeptTable(() => Infinity);
  const [one, other] = [table.of(), table.of()];
  const part = (name: string, state: KeptState, pid: number) =>
    one.keep({ state, most: 99, forMs: HOUR, pid, end: () => void ended.push(name) });
  for (const name of ['a', 'b', 'c', 'd', 'e']) part(name, 'conversation', 1);
  part('server', 'spare', 1);
  for (const name of ['f', 'g', 'h']) keep(other, name);
  expect(ended).toEqual([]);
  part('next', 'spare', 2);
  expect(ended).toEqual(['a', 'b', 'c', 'd', 'e', 'server']);
  one.close();
  other.close();
});

test('memory that runs short ends everything idle, then what waits, one by one', () => {
  let free = Infinity;
  const kept = new KeptTable(() => free).of();
  for (const name of ['w1', 'w2']) keep(kept, name, 'waiting');
  keep(kept, 's1');
  free = 0;
  keep(kept, 's2');
  expect(ended).toEqual(['s1', 's2']);
  keep(kept, 'w3', 'waiting');
  expect(ended).toEqual(['s1', 's2', 'w1']);
  kept.close();
});

test('nothing is kept for a provider that has closed', () => {
  const kept = new KeptTable(() => Infinity).of();
  kept.close();
  expect([keep(kept, 'late').take(), ended]).toEqual([false, ['late']]);
});
