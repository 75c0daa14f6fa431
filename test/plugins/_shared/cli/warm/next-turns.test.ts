import type { Call, FinishReason, Message } from 'drivebay/plugin';
import { KeptTable } from '../../../../../core/plugins/kept-table';
import type { Holder } from '../../../../../plugins/_shared/cli/warm/kept-holders';
import { NextTurns } from '../../../../../plugins/_shared/cli/warm/next-turns';
import { result, says } from '../../../messages';

class Program implements Holder {
  isGone = false;
  stops = 0;
  stop(): Promise<void> {
    this.stops += 1;
    return Promise.resolve();
  }
}

let kept = new KeptTable(() => Infinity).of();
beforeEach(() => (kept = new KeptTable(() => Infinity).of()));
afterEach(() => {
  kept.close();
  jest.useRealTimers();
});

const OF = { scope: 'one' as string | undefined, mark: 'm' };
const results = [result('call_a', 'A'), result('call_b', 'B')];

function turns() {
  const next = new NextTurns<Program>(kept, { most: 2, forMs: 60_000 });
  const end = (ids: string[], { scope, mark } = OF, finish: FinishReason = 'tool_calls', signal = STAYS) => {
    const holder = new Program();
    const said = { text: '', calls: [], outcome: { type: 'answer' as const, finish } };
    const calls = new Map(ids.map((id) => [id, `own ${id}`]));
    const marks = { before: undefined, tail: [], after: () => mark };
    const holds = next.settle({ holder, calls, said }, { scope, signal } as Call, marks, true);
    return { holder, holds };
  };
  const wait = (ids: string[], of = OF) => end(ids, of).holder;
  const take = (
    tail: readonly Message[],
    { scope, mark } = OF,
    fits: Parameters<typeof next.takeWaiting>[2] = always,
  ) => next.takeWaiting({ before: mark, tail, after: () => '' }, scope, fits);
  return { next, end, wait, take };
}

const STAYS = new AbortController().signal;
const always = () => true;
const states = () => kept.list().filter(({ state }) => state === 'waiting').length;

test('the results of its calls find a program, once, in any order', () => {
  const { wait, take } = turns();
  const holder = wait(['call_a', 'call_b']);
  expect(states()).toBe(1);
  const taken = take([...results].reverse())!;
  expect(taken.holder).toBe(holder);
  expect(taken.results.map(({ callId }) => taken.calls.get(callId))).toEqual(['own call_b', 'own call_a']);
  expect([take(results), holder.stops, states()]).toEqual([undefined, 0, 0]);
});

test.each<[string, Message[], Partial<typeof OF>]>([
  ['another history, model or tool', results, { mark: 'n' }],
  ['a new text behind the results', [...results, says('user', 'And?')], {}],
  ['a result too many', [...results, result('call_b', 'B')], {}],
  ['results of another call', [result('call_a', 'A'), result('call_x', 'X')], {}],
])('with %s it is stopped, and never goes on', (_name, tail, of) => {
  const { wait, take } = turns();
  const holder = wait(['call_a', 'call_b']);
  expect(take(tail, { ...OF, ...of })).toBeUndefined();
  expect([holder.stops, states(), take(results)]).toEqual([1, 0, undefined]);
});

test('results that are too large for it stop it', () => {
  const { wait, take } = turns();
  const holder = wait(['call_a', 'call_b']);
  expect(take(results, OF, (given) => given.length > 2)).toBeUndefined();
  expect(holder.stops).toBe(1);
});

test('the ids alone give another client nothing, and take nothing from the one that waits', () => {
  const { wait, take } = turns();
  const holder = wait(['call_a', 'call_b']);
  expect(take(results, { ...OF, scope: 'other' })).toBeUndefined();
  expect(take(results)?.holder).toBe(holder);
});

test.each<FinishReason>(['tool_calls', 'stop'])(
  'after %s, a program is stopped at once whose client has left, or cannot be told from others',
  (finish) => {
    const { next, end, take } = turns();
    const unknown = { scope: undefined, mark: 'm' };
    const left = AbortSignal.abort();
    const ended = [end(['call_a'], unknown, finish), end(['call_b'], OF, finish, left)];
    expect(ended.map(({ holder, holds }) => [holder.stops, holds])).toEqual(ended.map(() => [1, false]));
    expect([take([results[0]!], unknown), take([results[1]!]), next.conversations.take('m')]).toEqual(Array(3));
  },
);

test('the longest waiting one makes room, and none waits for ever', () => {
  jest.useFakeTimers();
  const { wait, take } = turns();
  const ids = Array.from({ length: 9 }, (_, index) => `call_${index}`);
  const holders = ids.map((id) => wait([id]));
  expect(holders.map(({ stops }) => stops)).toEqual([1, ...Array<number>(8).fill(0)]);
  expect(take([result('call_0', '')])).toBeUndefined();
  expect(take([result('call_1', '')])?.holder).toBe(holders[1]);
  jest.advanceTimersByTime(10 * 60_000);
  expect(holders.slice(2).map(({ stops }) => stops)).toEqual(Array(7).fill(1));
  expect([take([result('call_2', '')]), states()]).toEqual([undefined, 0]);
});

test('a program that has ended is neither found nor counted', () => {
  const { next, wait, take } = turns();
  const [dead, forgotten] = [wait(['call_a', 'call_b']), wait(['call_c'])];
  dead.isGone = true;
  expect(take(results)).toBeUndefined();
  expect(next.forget(forgotten)).toBe(true);
  expect([take([result('call_c', 'C')]), forgotten.stops, states()]).toEqual([undefined, 0, 0]);
});
