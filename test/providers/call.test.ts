import type { Call, Driver } from '../../core/contract/api';
import { DriverError } from '../../core/contract/driver-error';
import { type CallReader, runCall } from '../../core/providers/call';
import { CallAborted } from '../../core/providers/call-clock';
import type { Used } from '../../core/providers/caller';
import type { LedgerEntry } from '../../core/record/ledger';
import { makeCaller, makeProvider, quiet } from './settings';

function provide(maxConcurrency?: number) {
  const booked: LedgerEntry[] = [];
  const provider = makeProvider({ book: (entry) => void booked.push(entry) }, { maxConcurrency });
  return { provider, booked };
}

/** A call that is not a chat: it asks for one number. */
class NumberReader implements CallReader<Used & { value: number }> {
  readonly operation = 'chat';
  readonly isStream = false;
  readonly model = 'm';
  readonly isSilent = true;
  readonly prepare = quiet;
  readonly estimate = () => ({ usd: 1, isMost: true });
  complete!: Promise<Used & { value: number }>;

  constructor(private readonly answer: (call: Call) => Promise<number>) {}

  run(_driver: Driver, call: Call): Promise<void> {
    this.complete = this.answer(call).then((value) => ({ ...this.used(), value }));
    return this.complete.then(quiet, quiet);
  }

  used(): Used {
    return { usage: { type: 'usage', inputTokens: 3, outputTokens: 0 }, model: undefined, costUsd: 1 };
  }
}

test('a call that is not a chat needs its own reader and nothing else: it is queued, booked, and makes the provider healthy', async () => {
  const { provider, booked } = provide(1);
  const asker = { type: 'process', pid: 7 } as const;
  const first = runCall(provider, makeCaller(), new NumberReader(() => Promise.resolve(1)));
  const second = runCall(provider, makeCaller({ asker }), new NumberReader(() => Promise.resolve(2)));
  expect(provider.load).toEqual({ running: 1, waiting: 1, limit: 1 });
  expect([(await first).value, (await second).value]).toEqual([1, 2]);
  expect(provider.health.state).toBe('healthy');
  const common = { provider: 'p', driver: 'd-1', model: 'm', costUsd: 1, ok: true };
  expect(booked).toMatchObject([
    { ...common, asker: { type: 'gateway' } },
    { ...common, asker, usage: { inputTokens: 3 } },
  ]);
});

test('a failed call is booked, told to the caller, and stops what the driver still does', async () => {
  const { provider, booked } = provide();
  const onFailure = jest.fn();
  const asked = makeCaller({ onFailure });
  const reader = new NumberReader(() => Promise.reject(new DriverError('unreachable', 'reset')));
  await expect(runCall(provider, asked, reader)).rejects.toMatchObject({ code: 'unreachable' });
  expect(booked).toMatchObject([{ ok: false, usage: { inputTokens: 3 } }]);
  expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ costUsd: 1 }));
  expect(asked.abort.signal.aborted).toBe(true);
  expect(provider.health.state).toBe('offline');
});

test.each([new Error('socket hang up'), new DriverError('unreachable', 'reset')])(
  'after the end of its signal a call has failed for that, although the driver throws %p',
  async (thrown) => {
    const { provider } = provide();
    const asked = makeCaller();
    const answer = ({ signal }: Call) => {
      const failing = new Promise<number>((_, reject) => signal.addEventListener('abort', () => reject(thrown)));
      asked.abort.abort(new CallAborted('client_gone', 'it is over'));
      return failing;
    };
    const call = runCall(provider, asked, new NumberReader(answer));
    await expect(call).rejects.toMatchObject({ code: 'canceled', kind: 'client_gone', message: 'it is over' });
    expect(provider.health.state).toBe('unchecked');
  },
);

test('a request whose time ends in the queue lets no provider rest, and one whose time ends at its backend does', async () => {
  const { provider } = provide(1);
  const ending = makeCaller();
  const hang = ({ signal }: Call) =>
    new Promise<number>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const first = runCall(provider, ending, new NumberReader(hang));
  const limit = { ms: 20, hint: 'wait longer' };
  const queued = runCall(provider, makeCaller({ limit }), new NumberReader(() => Promise.resolve(2)));
  await expect(queued).rejects.toMatchObject({ code: 'timeout' });
  expect(provider.restOf('m')).toBeUndefined();
  ending.abort.abort(new CallAborted('client_gone', 'it is over'));
  await expect(first).rejects.toMatchObject({ code: 'canceled' });
  await expect(runCall(provider, makeCaller({ limit }), new NumberReader(hang))).rejects.toMatchObject({
    code: 'timeout',
  });
  expect(provider.restOf('m')).toMatchObject({ kind: 'timeout' });
});
