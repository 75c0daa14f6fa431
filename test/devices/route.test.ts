import type { ChatEvent, ChatRequest, DriverErrorCode, DriverErrorDetails } from '../../core/contract/api';
import { DriverError } from '../../core/contract/driver-error';
import { nextTarget } from '../../core/contract/failure-policy';
import { buildRoutes } from '../../core/devices/build-routes';
import type { Attempt, DeviceCall } from '../../core/devices/device';
import type { Route } from '../../core/devices/route';
import type { RouteFailure } from '../../core/devices/route-failure';
import type { Provider } from '../../core/providers/provider';
import { Rests } from '../../core/providers/rests';
import type { ProviderSettings } from '../../core/providers/settings';
import { makeCaller, makeProvider } from '../providers/settings';

type Script = (request: ChatRequest) => (ChatEvent | Error | 'hang')[];

const text = (value: string): ChatEvent => ({ type: 'text', text: value });
const stop: ChatEvent = { type: 'finish', reason: 'stop' };
const fail = (code: DriverErrorCode, details: DriverErrorDetails = {}) => new DriverError(code, 'it broke', details);

const scripts = new Map<string, Script>();
const asked: string[] = [];

/** A provider whose driver plays the script of its name; without one it says its name. */
function provider(name: string, more: Partial<ProviderSettings> = {}): Provider {
  const makeDriver = () =>
    Promise.resolve({
      async *chat(request: ChatRequest, { signal }: { signal: AbortSignal }) {
        asked.push(request.model === undefined ? name : `${name}:${request.model}`);
        for (const step of scripts.get(name)?.(request) ?? [text(name), stop]) {
          if (step instanceof Error) throw step;
          if (step === 'hang')
            await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
          else yield step;
        }
      },
      check: () => Promise.resolve(),
    });
  return makeProvider({ makeDriver }, { name, defaultModel: undefined, driverKind: 'cli', ...more });
}

type Target = string | { name: string; model?: string; weight?: number };

function route(targets: Target[], providers: Provider[], more: { order?: 'spread'; timeoutSec?: number } = {}): Route {
  return routes({ smart: targets }, providers, more).smart!;
}

function routes(
  lists: Record<string, Target[]>,
  providers: Provider[],
  more: { order?: 'spread'; timeoutSec?: number } = {},
): Record<string, Route> {
  const entries = Object.entries(lists).map(([name, targets]) => ({
    ...{ name, order: 'sequence' as const, timeoutSec: 0, place: { file: 'f' }, ...more },
    targets: targets.map((target) => ({ weight: 1, ...(typeof target === 'string' ? { name: target } : target) })),
  }));
  return Object.fromEntries(buildRoutes(entries, providers).map(({ device }) => [device.name, device]));
}

interface Outcome {
  text: string;
  events: ChatEvent[];
  failure: RouteFailure | undefined;
  targets: [string, ...string[]][];
}

async function chat(
  device: Route,
  request: Partial<ChatRequest> = {},
  caller: Partial<DeviceCall> = {},
): Promise<Outcome> {
  const events: ChatEvent[] = [];
  const targets: Outcome['targets'] = [];
  const onTarget = ({ name }: { name: string }, _: string | undefined, before: readonly Attempt[]) =>
    void targets.push([name, ...before.map(({ provider: from, kind }) => `${from}=${kind}`)]);
  const whole = { stream: true, messages: [{ role: 'user' as const, parts: [] }], extra: {}, ...request };
  const call = Object.assign(makeCaller(), { onTarget }, caller);
  const failure = await device
    .chat(whole, call, (event) => void events.push(event))
    .then(() => undefined)
    .catch((error: RouteFailure) => error);
  const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text: said, events, failure, targets };
}

beforeEach(() => {
  scripts.clear();
  asked.length = 0;
});

const script = (name: string, ...steps: ReturnType<Script>) => void scripts.set(name, () => steps);

describe('the order', () => {
  test('a sequence asks the first target that can answer, with the model that it names', async () => {
    const device = route([{ name: 'a', model: 'm' }, 'b'], [provider('a'), provider('b')]);
    expect((await chat(device)).text).toBe('a');
    expect((await chat(device, { model: 'other' })).text).toBe('a');
    script('a', fail('unreachable'));
    expect((await chat(device, { model: 'other' })).text).toBe('b');
    expect(asked).toEqual(['a:m', 'a:m', 'a:m', 'b:other']);
  });

  test('weights of 3 and 1 give 3 and 1 of every 4, and what rests gets no turn', async () => {
    const [a, b] = [provider('a'), provider('b')];
    const device = route([{ name: 'a', weight: 3 }, 'b'], [a, b], { order: 'spread' });
    for (let turn = 0; turn < 8; turn++) await chat(device);
    expect(asked.join('')).toBe('aabaaaba');
    script('b', fail('rate_limited', { retryAfterS: 60 }));
    for (let turn = 0; turn < 4; turn++) await chat(device);
    expect(asked.slice(8).filter((name) => name === 'b')).toHaveLength(1);
  });

  test('a route in a route is taken apart, and no target is asked twice', async () => {
    const providers = ['a', 'b', 'c'].map((name) => provider(name));
    const { smart } = routes({ smart: ['inner', 'a', 'c'], inner: ['a', { name: 'b', model: 'm' }] }, providers);
    for (const name of ['a', 'b', 'c']) script(name, fail('upstream'));
    const { failure } = await chat(smart!, { model: 'x' });
    expect(asked).toEqual(['a:x', 'b:m', 'c:x']);
    expect(failure).toMatchObject({ code: 'upstream', device: { name: 'c' } });
  });

  test('who answered the conversation is asked first', async () => {
    const [a, b] = [provider('a'), provider('b')];
    expect((await chat(route(['a', 'b'], [a, b]), {}, { previous: b })).text).toBe('b');
  });
});

describe('what leads on', () => {
  test.each<[DriverErrorCode, DriverErrorDetails['kind'], boolean]>([
    ['auth', undefined, true],
    ['unreachable', undefined, true],
    ['timeout', undefined, true],
    ['upstream', undefined, true],
    ['upstream', 'empty', true],
    ['protocol', undefined, true],
    ['not_installed', undefined, true],
    ['rate_limited', undefined, true],
    ['rate_limited', 'usage_limit', true],
    ['upstream', 'overloaded', true],
    ['rejected', 'billing', true],
    ['rejected', 'model_unavailable', true],
    ['invalid_request', 'context_overflow', true],
    ['rejected', undefined, false],
    ['rejected', 'content_filter', false],
    ['invalid_request', undefined, false],
    ['canceled', undefined, false],
  ])('%s (%s): %s', async (code, kind, leadsOn) => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', fail(code, { kind }));
    const { text: answer, failure, targets } = await chat(device);
    expect(answer).toBe(leadsOn ? 'b' : '');
    if (leadsOn) expect(targets).toEqual([['a'], ['b', `a=${kind ?? code}`]]);
    else
      expect(failure).toMatchObject({ code, attempts: [{ provider: 'a', kind: kind ?? code, message: 'it broke' }] });
  });

  test('a target that says itself that it cannot have the tools of a client, which then does not rest', async () => {
    const [a, b] = [provider('a'), provider('b')];
    script('a', fail('invalid_request', { param: 'tools' }));
    const { text: answer, targets } = await chat(route(['a', 'b'], [a, b]));
    expect([answer, targets, a.restOf(undefined)]).toEqual(['b', [['a'], ['b', 'a=invalid_request']], undefined]);
  });

  test('the columns of routes and agents stand side by side', () => {
    expect(nextTarget({ code: 'rate_limited' })).toEqual({ route: true, agent: false, rests: 'provider' });
    expect(nextTarget({ code: 'upstream', kind: 'empty' })).toEqual({ route: true, agent: false, rests: 'provider' });
    expect(nextTarget({ code: 'upstream', kind: 'overloaded' }).agent).toBe(true);
    expect(nextTarget({ code: 'rejected', kind: 'model_unavailable' }).rests).toBe('model');
    expect(nextTarget({ code: 'invalid_request', kind: 'context_overflow' }).rests).toBe('nothing');
  });

  test.each<ChatEvent>([
    text('x'),
    { type: 'reasoning', text: 'hm' },
    { type: 'tool_call', index: 0, name: 't' },
    { type: 'activity', tool: 'shell' },
  ])('nothing after %j', async (event) => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', event, fail('upstream'));
    const { failure, events } = await chat(device);
    expect([failure?.code, events, asked]).toEqual(['upstream', [event], ['a']]);
  });

  test('an answer in one piece is begun only with its end, except by what an agent did', async () => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', text('half'), fail('protocol', { kind: 'truncated' }));
    expect((await chat(device, { stream: false })).text).toBe('b');
    script('b', { type: 'activity', tool: 'shell' }, fail('upstream'));
    script('a', fail('upstream'));
    const { failure } = await chat(route(['b', 'a'], [provider('a'), provider('b')]), { stream: false });
    expect(failure?.device.name).toBe('b');
  });

  test('a driver that says that its agent has acted is believed', async () => {
    script('a', fail('upstream', { sideEffects: true }));
    expect((await chat(route(['a', 'b'], [provider('a'), provider('b')]))).failure).toMatchObject({
      sideEffects: true,
    });
    expect(asked).toEqual(['a']);
  });

  test('what a target said before it failed is forgotten', async () => {
    script('a', { type: 'meta', ignored: ['seed'] }, { type: 'native', value: {} }, fail('upstream'));
    const { events } = await chat(route(['a', 'b'], [provider('a'), provider('b')]));
    expect(events).toEqual([text('b'), stop]);
  });

  test('a caller that leaves ends the search, also after a switch', async () => {
    const device = route(
      ['a', 'b', 'c'],
      ['a', 'b', 'c'].map((name) => provider(name)),
    );
    script('a', fail('upstream'));
    script('b', 'hang');
    const caller = makeCaller();
    const onTarget = ({ name }: { name: string }) => {
      if (name === 'b') setImmediate(() => caller.abort.abort(new DriverError('canceled', 'gone')));
    };
    const call = device.chat(
      { stream: true, messages: [], extra: {} },
      Object.assign(caller, { onTarget }),
      () => undefined,
    );
    await expect(call).rejects.toMatchObject({ code: 'canceled' });
    expect(asked).toEqual(['a', 'b']);
  });

  test('a full queue leads on, and is no rest', async () => {
    const [a, b] = [provider('a', { maxConcurrency: 1 }), provider('b')];
    const device = route(['a', 'b'], [a, b]);
    script('a', 'hang');
    const callers = Array.from({ length: 17 }, () => makeCaller());
    const hanging = callers.map((caller) => a.chat({ stream: true, messages: [], extra: {} }, caller, () => undefined));
    const { text: answer, targets } = await chat(device);
    expect([answer, targets.at(-1), a.rests]).toEqual(['b', ['b', 'a=concurrency_limit'], []]);
    for (const { abort } of callers) abort.abort(new DriverError('canceled', 'gone'));
    await Promise.allSettled(hanging);
  });
});

describe('rests', () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  beforeEach(() =>
    jest.useFakeTimers({ now: NOW, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] }),
  );
  afterEach(() => jest.useRealTimers());

  test('a target that failed is asked last, until its rest is over', async () => {
    const [a, b] = [provider('a'), provider('b')];
    const device = route(['a', 'b'], [a, b]);
    script('a', fail('upstream'));
    await chat(device);
    script('a', text('a is back'), stop);
    expect((await chat(device)).text).toBe('b');
    script('b', fail('upstream'));
    expect((await chat(device)).text).toBe('a is back');
    expect([a.rests, b.rests.length]).toEqual([[], 1]);
  });

  test('a route whose targets all rest for a known time over a minute fails at once', async () => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', fail('rate_limited', { kind: 'usage_limit', retryAfterS: 7200 }));
    script('b', fail('rate_limited', { retryAfterS: 3600 }));
    await chat(device);
    asked.length = 0;
    const { failure } = await chat(device);
    expect([asked, failure?.retryAfterS, failure?.kind, failure?.device.name]).toEqual([[], 3600, 'usage_limit', 'a']);
    expect(failure?.attempts).toEqual([
      { provider: 'b', kind: 'rate_limited', message: 'rests until 2026-11-21T13:00:00.000Z: it broke' },
      { provider: 'a', kind: 'usage_limit', message: 'rests until 2026-11-21T14:00:00.000Z: it broke' },
    ]);
    jest.setSystemTime(NOW + 3_541_000);
    await chat(device);
    expect(asked).toEqual(['b', 'a']);
  });

  test('a mistake of the client is told, also where all other targets rest for long', async () => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', fail('rate_limited', { retryAfterS: 7200 }));
    await chat(device);
    script('b', fail('rejected'));
    const { failure } = await chat(device);
    expect(failure).toMatchObject({ code: 'rejected', device: { name: 'b' }, attempts: [{ provider: 'b' }] });
  });

  test('the failure says when the first target is back', async () => {
    const device = route(['a', 'b'], [provider('a'), provider('b')]);
    script('a', fail('rate_limited', { retryAfterS: 30 }));
    script('b', fail('unreachable'));
    expect((await chat(device)).failure).toMatchObject({ code: 'unreachable', retryAfterS: 5 });
    script('b', fail('rejected'));
    expect((await chat(device)).failure?.retryAfterS).toBeUndefined();
  });

  test('a time that has passed, or that never comes, rests nobody for ever', async () => {
    for (const retryAfterS of [-1, 0, 1e12, Number.NaN]) {
      const a = provider('a');
      script('a', fail('rate_limited', { retryAfterS }));
      await chat(route(['a', 'b'], [a, provider('b')]));
      expect((a.restOf(undefined)?.until ?? NOW) - NOW).toBeLessThanOrEqual(5_000);
    }
  });

  test('a rest of a wrong clock, kept here or told by another machine, ends within a day', () => {
    const kept = { kind: 'auth' as const, message: 'no', since: NOW, isNamed: true, failures: 1 };
    const rests = new Rests([{ ...kept, until: 1e300 }]);
    expect(rests.of(undefined)?.until).toBe(NOW + 24 * 3_600_000);
    expect(rests.of(undefined, NOW + 24 * 3_600_000)).toBeUndefined();
    rests.adopt([{ ...kept, until: 1e300 }]);
    expect(rests.of(undefined)?.until).toBe(NOW + 24 * 3_600_000);
  });

  test('a provider that is closed is told of rests no more', async () => {
    const shared = new Rests();
    const told: string[] = [];
    const sharing = (name: string) =>
      makeProvider({ rests: shared, report: ({ type }) => void told.push(`${name} ${type}`) }, { name });
    const [old, now] = [sharing('old'), sharing('now')];
    await old.close();
    shared.noteFailure(fail('upstream'), undefined, 0);
    expect([told, now.rests.length]).toEqual([['now rests'], 1]);
  });

  test('a model that there is not rests alone', async () => {
    const a = provider('a');
    const device = route(
      [
        { name: 'a', model: 'm' },
        { name: 'a', model: 'n' },
      ],
      [a],
    );
    scripts.set('a', ({ model }) =>
      model === 'm' ? [fail('rejected', { kind: 'model_unavailable' })] : [text('n'), stop],
    );
    expect([(await chat(device)).text, (await chat(device)).text]).toEqual(['n', 'n']);
    expect(asked).toEqual(['a:m', 'a:n', 'a:n']);
    expect([device.restOf(undefined), a.restOf('m')?.model]).toEqual([undefined, 'm']);
  });
});

describe('what a target cannot do', () => {
  const tools = [{ name: 't' }];

  test('skips it, without a rest, and with its name in the attempts', async () => {
    const [a, b] = [provider('a'), provider('b', { capabilities: { ...provider('b').capabilities, tools: true } })];
    const { text: answer, targets } = await chat(route(['a', 'b'], [a, b]), { tools });
    expect([answer, asked, a.rests]).toEqual(['b', ['b'], []]);
    expect(targets).toEqual([['b', 'a=invalid_request']]);
  });

  test('skips nothing where no target can', async () => {
    const { text: answer } = await chat(route(['a', 'b'], [provider('a'), provider('b')]), { tools });
    expect(answer).toBe('a');
  });

  test('asks it all the same where no target can, also while it rests for a short time', async () => {
    const device = route(['a'], [provider('a')]);
    script('a', fail('upstream'));
    await chat(device, { tools });
    script('a', text('a is back'), stop);
    expect((await chat(device, { tools })).text).toBe('a is back');
  });

  test('a request that is longer than a window of the configuration', async () => {
    const [a, b] = [provider('a', { defaultModel: 'm', contextWindows: new Map([['m', 10]]) }), provider('b')];
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x'.repeat(50) }] }];
    expect((await chat(route(['a', 'b'], [a, b]), { messages })).targets).toEqual([['b', 'a=context_overflow']]);
  });

  test.each([
    ['an image', { messages: [{ role: 'user' as const, parts: [{ type: 'image' as const, url: 'data:' }] }] }],
    ['a response format', { responseFormat: { type: 'json_object' as const } }],
    ['a forced tool', { toolChoice: { type: 'required' as const } }],
    ['several choices', { choices: 2 }],
  ])('%s', async (_, request) => {
    const capabilities = { ...provider('b').capabilities, images: true, forcedToolChoice: true, choices: true };
    const b = provider('b', { capabilities, driverKind: 'http', defaultModel: 'm' });
    script('b', text('b'), stop, { ...stop, choice: 1 });
    expect((await chat(route(['a', 'b'], [provider('a'), b]), request)).targets).toEqual([['b', 'a=invalid_request']]);
  });

  test('a schema goes to a program whose answers can keep to it, and JSON without one does not', async () => {
    const a = provider('a', { capabilities: { ...provider('a').capabilities, answerSchema: true } });
    const b = provider('b', { driverKind: 'http', defaultModel: 'm' });
    script('a', text('a'), stop);
    script('b', text('b'), stop);
    const schema = { responseFormat: { type: 'json_schema' as const, name: 'n', schema: {} } };
    expect((await chat(route(['a', 'b'], [a, b]), schema)).targets).toEqual([['a']]);
    const json = { responseFormat: { type: 'json_object' as const } };
    expect((await chat(route(['a', 'b'], [a, b]), json)).targets).toEqual([['b', 'a=invalid_request']]);
  });

  test('the tools of an agent process are no need: a program gets none', async () => {
    let seen: ChatRequest | undefined;
    scripts.set('a', (request) => ((seen = request), [text('a'), stop]));
    const b = provider('b', {
      driverKind: 'http',
      defaultModel: 'm',
      capabilities: { ...provider('b').capabilities, tools: true },
    });
    const device = route(['a', 'b'], [provider('a'), b]);
    const { events } = await chat(device, { tools }, { workspace: { skills: [], first: true } });
    expect([seen?.tools, events]).toEqual([undefined, [text('a'), stop]]);
  });
});

describe('time', () => {
  test('more seconds than a timer takes are no limit of a moment', async () => {
    const { text: answer } = await chat(route(['a'], [provider('a')], { timeoutSec: 9_999_999 }));
    expect(answer).toBe('a');
  });

  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] }));
  afterEach(() => jest.useRealTimers());

  /** Lets the time pass when a target is asked. */
  const passing = (name: string, ms: number) => (target: { name: string }) => {
    if (target.name === name) setImmediate(() => jest.advanceTimersByTime(ms));
  };

  test('the clock of the route counts for all of its targets', async () => {
    const device = route(['a', 'b', 'c'], [provider('a'), provider('b'), provider('c')], { timeoutSec: 60 });
    script('a', fail('upstream'));
    script('b', 'hang');
    const { failure } = await chat(device, {}, { arrivedAt: Date.now() - 50_000, onTarget: passing('b', 10_000) });
    expect(failure).toMatchObject({ code: 'timeout', message: 'no answer within 60 s' });
    expect([failure?.hint, asked]).toEqual([expect.stringContaining('route "smart"'), ['a', 'b']]);
  });

  test('without a clock of its own each target has its whole time', async () => {
    const device = route(['a', 'b'], [provider('a', { timeoutSec: 60 }), provider('b', { timeoutSec: 60 })]);
    script('a', 'hang');
    const onTarget = passing('a', 10_000);
    expect((await chat(device, {}, { arrivedAt: Date.now() - 50_000, onTarget })).text).toBe('b');
  });
});

test('the health of a route is that of its best target', async () => {
  const [a, b] = [provider('a'), provider('b')];
  const device = route(['a', 'b'], [a, b]);
  expect(device.health.state).toBe('unchecked');
  script('a', fail('auth'));
  await chat(device);
  expect([a.health.state, device.health.state]).toEqual(['offline', 'healthy']);
  script('b', fail('auth'));
  await chat(device);
  expect(device.health).toMatchObject({
    state: 'offline',
    reason: expect.stringContaining('a: it broke; b: it broke') as string,
  });
});
