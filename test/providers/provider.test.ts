import { DriverError } from '../../core/contract/driver-error';
import type { Call, ChatEvent, ChatRequest, Driver, DriverErrorCode, Logger } from '../../core/contract/api';
import { failurePolicies } from '../../core/contract/failure-policy';
import type { Provider } from '../../core/providers/provider';
import { Redactor } from '../../core/contract/redact';
import { makeCaller, makeProvider, quiet } from './settings';

const warned: string[] = [];
const log: Logger = { debug: quiet, info: quiet, error: quiet, warn: (message) => void warned.push(message) };
const request: ChatRequest = { stream: false, messages: [{ role: 'user', parts: [] }], extra: {} };

interface Backend {
  /** What the next check throws. */
  down?: Error | undefined;
  /** What the next turn throws. */
  broken?: Error | undefined;
  /** What the turns yield besides, with types of their own. */
  strange?: string[];
  checks: number;
}

function provide(
  more: { check?: (call: Call) => Promise<void>; make?: () => Promise<Driver>; redactor?: Redactor } = {},
) {
  const backend: Backend = { checks: 0 };
  const driver: Driver = {
    // eslint-disable-next-line @typescript-eslint/require-await
    async *chat(): AsyncGenerator<ChatEvent> {
      if (backend.broken) throw backend.broken;
      for (const type of backend.strange ?? []) yield { type } as unknown as ChatEvent;
      yield { type: 'text', text: 'x' };
      yield { type: 'finish', reason: 'stop' };
    },
    check: async (call) => {
      backend.checks += 1;
      if (backend.down) throw backend.down;
      await more.check?.(call);
    },
  };
  const makeDriver = more.make ?? (() => Promise.resolve(driver));
  const provider = makeProvider({ makeDriver, redactor: more.redactor ?? new Redactor(), log });
  return { provider, backend };
}

const turn = (provider: Provider) => provider.chat(request, makeCaller(), quiet);

afterEach(() => jest.useRealTimers());

test('a provider is unchecked until the first check, then healthy with a latency', async () => {
  const { provider } = provide();
  expect(provider.health.state).toBe('unchecked');
  expect(await provider.check()).toMatchObject({ state: 'healthy', latencyMs: expect.any(Number) });
});

test('checks at the same time are one', async () => {
  const { provider, backend } = provide();
  await Promise.all([provider.check(), provider.check(), provider.check()]);
  expect(backend.checks).toBe(1);
});

test('events of an unknown type are warned about once, with the driver and the type', async () => {
  const { provider, backend } = provide();
  backend.strange = ['txet', 'txet', 'later'];
  warned.length = 0;
  await turn(provider);
  await turn(provider);
  expect(warned).toEqual([
    'driver "d" yields events of type "txet" (did you mean "text"?), which has no effect here',
    'driver "d" yields events of type "later", which has no effect here',
  ]);
});

test('a check has 3 s, also when the driver does not listen', async () => {
  jest.useFakeTimers();
  const { provider } = provide({ check: () => new Promise(() => undefined) });
  const check = provider.check();
  await jest.advanceTimersByTimeAsync(2_999);
  expect(provider.health.state).toBe('unchecked');
  await jest.advanceTimersByTimeAsync(1);
  expect(await check).toMatchObject({ state: 'offline', timedOut: true });
});

test('a failed check tells the reason and the hint', async () => {
  const { provider, backend } = provide();
  backend.down = new DriverError('auth', 'no key', { hint: 'export KEY=...' });
  const hint = 'export KEY=...';
  expect(await provider.check()).toMatchObject({ state: 'offline', timedOut: false, reason: 'no key', hint });
});

const OFFLINE = ['auth', 'unreachable', 'not_installed'];

test.each(Object.keys(failurePolicies) as DriverErrorCode[])(
  `a turn that fails with %s makes a healthy provider offline only if it is one of ${OFFLINE.join(', ')}`,
  async (code) => {
    const { provider, backend } = provide();
    await provider.check();
    backend.broken = new DriverError(code, 'x');
    await expect(turn(provider)).rejects.toMatchObject({ code });
    expect(provider.health.state).toBe(OFFLINE.includes(code) ? 'offline' : 'healthy');
  },
);

test('a good turn makes an offline provider healthy', async () => {
  const { provider, backend } = provide();
  backend.down = new DriverError('unreachable', 'x');
  await provider.check();
  await turn(provider);
  expect(provider.health.state).toBe('healthy');
  expect(provider.health.reason).toBeUndefined();
});

test('an offline provider is checked again on request, at most every 15 s; a healthy one never', async () => {
  jest.useFakeTimers();
  const { provider, backend } = provide();
  backend.down = new DriverError('unreachable', 'x');
  await provider.check();
  backend.down = undefined;
  jest.advanceTimersByTime(14_999);
  expect((await provider.refresh()).state).toBe('offline');
  expect(backend.checks).toBe(1);
  jest.advanceTimersByTime(1);
  expect((await provider.refresh()).state).toBe('healthy');
  expect(backend.checks).toBe(2);
  jest.advanceTimersByTime(60_000);
  await provider.refresh();
  expect(backend.checks).toBe(2);
});

test('a driver that cannot be made leaves the provider offline, and is tried again', async () => {
  let attempts = 0;
  const { provider } = provide({
    make: () => {
      attempts += 1;
      return Promise.reject(new Error('bad option'));
    },
  });
  expect(await provider.check()).toMatchObject({ state: 'offline', reason: 'bad option' });
  await expect(turn(provider)).rejects.toMatchObject({ code: 'not_installed', kind: 'driver_setup' });
  expect(attempts).toBe(2);
});

test('keys are taken out of what a check says', async () => {
  const redactor = new Redactor();
  redactor.add('sk-planted-key');
  const told = { detail: 'with sk-planted-key', warnings: ['sk-planted-key is old'] };
  const { provider } = provide({ redactor, check: () => Promise.resolve(told) as unknown as Promise<void> });
  expect(JSON.stringify(await provider.check())).not.toContain('sk-planted-key');
});

test('values of metadata() that are not texts are left out, and the driver is named', async () => {
  const metadata = () => Promise.resolve({ bin: '/x', parts: {} });
  const make = () => Promise.resolve({ chat: quiet, check: quiet, metadata });
  const { provider } = provide({ make: make as unknown as () => Promise<Driver> });
  warned.length = 0;
  expect(await provider.metadata()).toEqual({ bin: '/x' });
  expect(warned).toEqual([`metadata() of driver "${provider.driver}" has values that are not texts: parts`]);
});

describe('a provider that is taken out of the configuration', () => {
  test('ends with its last user, what it kept at once', async () => {
    const ended: string[] = [];
    const end = (what: string) => () => Promise.resolve(void ended.push(what));
    const provider = makeProvider({
      makeDriver: () => Promise.resolve({ chat: quiet, check: quiet, close: end('driver') } as unknown as Driver),
      http: { close: end('connections') },
      programs: { count: 0, close: end('programs'), ended: end(''), idle: () => Promise.resolve() },
      kept: { list: () => [], close: () => void ended.push('kept') },
    });
    await provider.openDriver();
    provider.users.enter();
    const gone = provider.retire();
    // What is kept serves nobody any more.
    expect(ended).toEqual(['kept']);
    provider.users.leave();
    await gone;
    expect(ended.toSorted()).toEqual(['connections', 'driver', 'kept', 'kept', 'programs']);
    await provider.close();
    expect(ended).toHaveLength(5);
  });

  test('closes a driver that was still being made, and makes no other one', async () => {
    let isClosed = false;
    let ready!: (driver: Driver) => void;
    const makeDriver = () => new Promise<Driver>((resolve) => (ready = resolve));
    const provider = makeProvider({ makeDriver });
    const opening = provider.openDriver();
    await provider.retire();
    const closed = new Promise<void>((resolve) => {
      const close = () => Promise.resolve(void (isClosed = true)).then(resolve);
      ready({ chat: quiet, check: quiet, close } as unknown as Driver);
    });
    await opening;
    await closed;
    expect(isClosed).toBe(true);
    await expect(provider.openDriver()).rejects.toMatchObject({ code: 'canceled' });
  });
});
