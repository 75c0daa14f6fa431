import { setMaxListeners } from 'node:events';
import { Slots } from '../../core/limits/slots';

const open = new AbortController().signal;
setMaxListeners(0, open);

/** The names of those that have a slot, in the order in which they got it. */
function queue(slots: Slots) {
  const entered: string[] = [];
  const enter = (name: string, signal = open) => slots.acquire(signal).then(() => void entered.push(name));
  return { entered, enter };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('as many as the limit enter, the others in order of arrival', async () => {
  const slots = new Slots(2);
  const { entered, enter } = queue(slots);
  for (const name of ['a', 'b', 'c', 'd']) void enter(name);
  await settled();
  expect(entered).toEqual(['a', 'b']);
  slots.release();
  await settled();
  expect(entered).toEqual(['a', 'b', 'c']);
  slots.release();
  slots.release();
  await settled();
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

test('a patient caller waits however long the queue is', async () => {
  const slots = new Slots(1);
  const { entered, enter } = queue(slots);
  for (let n = 0; n < 17; n += 1) void enter(String(n));
  void slots.acquire(open, true).then(() => void entered.push('patient'));
  for (let n = 0; n < 17; n += 1) slots.release();
  await settled();
  expect(entered.at(-1)).toBe('patient');
});

test('sixteen may wait, the seventeenth is turned away and told why', async () => {
  const slots = new Slots(1);
  const { enter } = queue(slots);
  for (let n = 0; n < 17; n += 1) void enter(String(n));
  await expect(enter('17th')).rejects.toMatchObject({
    code: 'concurrency_limit',
    message: expect.stringMatching(/1 requests? .*16/),
  });
});

test('a caller that leaves the queue never enters, and makes room', async () => {
  const slots = new Slots(1);
  const { entered, enter } = queue(slots);
  await enter('first');
  const abort = new AbortController();
  const left = enter('left', abort.signal);
  void enter('next');
  const reason = new Error('gone');
  abort.abort(reason);
  await expect(left).rejects.toBe(reason);
  slots.release();
  await settled();
  expect(entered).toEqual(['first', 'next']);
});

test('a caller with a slot keeps it although the signal fires', async () => {
  const slots = new Slots(1);
  const { entered, enter } = queue(slots);
  const abort = new AbortController();
  await enter('first', abort.signal);
  void enter('second', abort.signal);
  slots.release();
  await settled();
  abort.abort();
  void enter('third');
  await settled();
  expect(entered).toEqual(['first', 'second']);
});

test('a caller whose signal has fired never waits', async () => {
  const slots = new Slots(1);
  await slots.acquire(open);
  const reason = new Error('gone');
  await expect(slots.acquire(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('with a lower limit those that run count, and the next one enters when enough of them have ended', async () => {
  const slots = new Slots(2);
  const { entered, enter } = queue(slots);
  for (const name of ['a', 'b', 'c', 'd']) void enter(name);
  slots.resize(1);
  slots.release();
  await settled();
  expect(entered).toEqual(['a', 'b']);
  slots.release();
  await settled();
  expect(entered).toEqual(['a', 'b', 'c']);
  expect(slots.load).toEqual({ running: 1, waiting: 1, limit: 1 });
});

test('with a higher limit those that wait enter at once', async () => {
  const slots = new Slots(1);
  const { entered, enter } = queue(slots);
  for (const name of ['a', 'b', 'c', 'd']) void enter(name);
  slots.resize(3);
  await settled();
  expect(entered).toEqual(['a', 'b', 'c']);
});
