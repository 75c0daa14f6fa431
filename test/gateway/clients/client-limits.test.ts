import { runLimited } from '../../../core/gateway/clients/client-limits';
import { Slots } from '../../../core/limits/slots';
import { makeCaller } from '../../providers/settings';

const account = () => ({ limits: undefined, slots: new Slots(1, 'client') });

/** Takes the only slot, until the function that is returned is called. */
async function occupy(of: ReturnType<typeof account>): Promise<() => Promise<void>> {
  let end!: () => void;
  const running = runLimited(of, makeCaller(), () => new Promise<void>((resolve) => (end = resolve)));
  await new Promise((resolve) => setImmediate(resolve));
  return () => (end(), running);
}

test('the time in the queue of a client does not shorten the time of the provider', async () => {
  const own = account();
  const leave = await occupy(own);
  const caller = makeCaller({ arrivedAt: Date.now() - 600_000 });
  const before = Date.now();
  const second = runLimited(own, caller, () => Promise.resolve(caller.arrivedAt));
  await leave();
  expect(await second).toBeGreaterThanOrEqual(before);
});

test('a wait in the queue ends, and leaves the slot to others', async () => {
  const own = account();
  const leave = await occupy(own);
  const waiting = runLimited(own, makeCaller(), () => Promise.resolve(), 20);
  await expect(waiting).rejects.toMatchObject({
    code: 'concurrency_limit',
    message: '1 requests are running and none has ended within 0.02 s, the limit of this client',
  });
  await leave();
  expect(await runLimited(own, makeCaller(), () => Promise.resolve('ran'))).toBe('ran');
  expect(own.slots.load).toMatchObject({ running: 0, waiting: 0 });
});
