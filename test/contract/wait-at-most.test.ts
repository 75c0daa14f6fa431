import { createHook } from 'node:async_hooks';
import { waitAtMost } from '../../core/contract/wait-at-most';

const timers = new Map<number, NodeJS.Timeout>();
const hook = createHook({
  init: (id, type, _, timer) => void (type === 'Timeout' && timers.set(id, timer as NodeJS.Timeout)),
  destroy: (id) => void timers.delete(id),
});

afterEach(() => hook.disable());

/** Jest has timers of its own. */
function countTimers(): void {
  timers.clear();
  hook.enable();
}

/** Hooks are told that a timer is gone a turn later. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the end of the work ends the wait, and leaves no timer', async () => {
  countTimers();
  let end!: () => void;
  const wait = waitAtMost(600_000, new Promise<void>((resolve) => (end = resolve)));
  expect([...timers.values()].map((timer) => timer.hasRef())).toEqual([false]);
  end();
  await wait;
  await turn();
  expect(timers.size).toBe(0);
});

test('a failure of the work ends the wait, and is told', async () => {
  countTimers();
  await expect(waitAtMost(600_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await turn();
  expect(timers.size).toBe(0);
});

test('work that does not end is left alone after the limit', async () => {
  // The timer keeps nothing up, so that something else has to.
  const up = setInterval(() => undefined, 1_000);
  await waitAtMost(5, new Promise(() => undefined));
  clearInterval(up);
});
