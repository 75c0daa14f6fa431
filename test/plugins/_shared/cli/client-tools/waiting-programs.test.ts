import type { Message } from 'drivebay/plugin';
import { KeptTable } from '../../../../../core/plugins/kept-table';
import { WaitingPrograms } from '../../../../../plugins/_shared/cli/client-tools/waiting-programs';
import type { Holder } from '../../../../../plugins/_shared/cli/warm/kept-holders';
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
afterEach(() => kept.close());

const OF = { scope: 'one', mark: 'm' };
const results = [result('call_a', 'A'), result('call_b', 'B')];

function waiting(limits?: { most: number; forMs: number }) {
  const programs = new WaitingPrograms<Program>(kept, limits);
  const wait = (ids: string[], of: Parameters<typeof programs.keep>[1] = OF) => {
    const holder = new Program();
    programs.keep({ holder, calls: new Map(ids.map((id) => [id, `own ${id}`])) }, of);
    return holder;
  };
  return { programs, wait };
}

const states = () => kept.list().filter(({ state }) => state === 'waiting').length;

test('the results of its calls find a program, once, in any order', () => {
  const { programs, wait } = waiting();
  const holder = wait(['call_a', 'call_b']);
  expect(states()).toBe(1);
  const taken = programs.take([...results].reverse(), OF)!;
  expect(taken.holder).toBe(holder);
  expect(taken.results.map(({ callId }) => taken.calls.get(callId))).toEqual(['own call_b', 'own call_a']);
  expect([programs.take(results, OF), holder.stops, states()]).toEqual([undefined, 0, 0]);
});

test.each<[string, Message[], Partial<typeof OF>]>([
  ['another history, model or tool', results, { mark: 'n' }],
  ['a new text behind the results', [...results, says('user', 'And?')], {}],
  ['a result too many', [...results, result('call_b', 'B')], {}],
  ['results of another call', [result('call_a', 'A'), result('call_x', 'X')], {}],
])('with %s it is stopped, and never goes on', (_name, tail, of) => {
  const { programs, wait } = waiting();
  const holder = wait(['call_a', 'call_b']);
  expect(programs.take(tail, { ...OF, ...of })).toBeUndefined();
  expect([holder.stops, states(), programs.take(results, OF)]).toEqual([1, 0, undefined]);
});

test('results that are too large for it stop it', () => {
  const { programs, wait } = waiting();
  const holder = wait(['call_a', 'call_b']);
  expect(programs.take(results, OF, (given) => given.length > 2)).toBeUndefined();
  expect(holder.stops).toBe(1);
});

test('the ids alone give another client nothing, and take nothing from the one that waits', () => {
  const { programs, wait } = waiting();
  const holder = wait(['call_a', 'call_b']);
  expect(programs.take(results, { ...OF, scope: 'other' })).toBeUndefined();
  expect(programs.take(results, OF)?.holder).toBe(holder);
});

test('a program whose client cannot be told from others is stopped at once', () => {
  const { programs, wait } = waiting();
  expect(wait(['call_a'], { scope: undefined, mark: 'm' }).stops).toBe(1);
  expect(programs.take([results[0]!], { scope: undefined, mark: 'm' })).toBeUndefined();
});

test('the longest waiting one makes room, and none waits for ever', async () => {
  const { programs, wait } = waiting({ most: 2, forMs: 60_000 });
  const holders = ['call_1', 'call_2', 'call_3'].map((id) => wait([id]));
  expect(holders.map(({ stops }) => stops)).toEqual([1, 0, 0]);
  expect(programs.take([result('call_1', '')], OF)).toBeUndefined();
  expect(programs.take([result('call_2', '')], OF)?.holder).toBe(holders[1]);
  const brief = waiting({ most: 2, forMs: 5 });
  const late = brief.wait(['call_a']);
  await new Promise<void>((resolve) => (late.stop = () => Promise.resolve(resolve())));
  expect(brief.programs.take([results[0]!], OF)).toBeUndefined();
});

test('a program that has ended is neither found nor counted', () => {
  const { programs, wait } = waiting();
  const [dead, forgotten] = [wait(['call_a', 'call_b']), wait(['call_c'])];
  dead.isGone = true;
  expect(programs.take(results, OF)).toBeUndefined();
  programs.forget(forgotten);
  expect([programs.take([result('call_c', 'C')], OF), forgotten.stops, states()]).toEqual([undefined, 0, 0]);
});
