import { applyLiveEvent, beginDay } from '../../core/dashboard/apply-live-event';
import type { DashboardState, ProviderRow } from '../../core/dashboard/protocol';
import type { LiveEventBody, ProviderEvent, RequestEvent } from '../../core/record/live-event';
import { NO_TURNS } from '../../core/record/usage';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 21, 12);

const row: ProviderRow = {
  ...{ name: 'a', driver: 'd-1', driverAlias: 'd', kind: 'http', status: 'unchecked', model: null },
  ...{ latencyMs: null, timedOut: false, rests: [], route: null, kept: [] },
  ...{ reason: null, hint: null, detail: null, warnings: [], pays: null, project: null, files: [] },
  ...{ latency: [], turns: [], sinceStart: NO_TURNS, today: NO_TURNS },
};

let state: DashboardState;
let id: number;

beforeEach(() => {
  id = 100;
  state = {
    ...{ daemon: { version: '0', pid: 1, startedAt: 0 }, listeners: [], requests: [], processes: [], processCount: 0 },
    providers: [{ ...row }],
    ...{ dayEndsAt: NOW + 1_000, clock: { now: NOW, utcOffsetMs: 0 }, lastEventId: id },
  };
});

const take = (body: LiveEventBody, time = NOW) => applyLiveEvent(state, { id: ++id, time, ...body });
const request = (name: string, event: RequestEvent, time = NOW) =>
  take({ kind: 'request', request: name, event }, time);
const takeHealth = (event: ProviderEvent, time = NOW) => take({ kind: 'provider', provider: 'a', event }, time);
const begin = (name: string) => request(name, { type: 'start', provider: 'a', stream: false });
const end = (name: string, time = NOW) =>
  request(
    name,
    { type: 'end', provider: 'a', status: 200, ms: 5, booked: true, usage: { inputTokens: 2, outputTokens: 1 } },
    time,
  );
const only = () => state.providers[0]!;

test('an event that the state has already changes nothing', () => {
  const before = JSON.stringify(state);
  const event: RequestEvent = { type: 'start', provider: 'a', stream: false };
  expect(applyLiveEvent(state, { id: 100, time: NOW, kind: 'request', request: 'r', event })).toBe(true);
  expect(JSON.stringify(state)).toBe(before);
});

test('only what no event describes asks for the state anew', () => {
  expect(begin('r')).toBe(true);
  expect(take({ kind: 'daemon', event: { type: 'changed', what: 'projects' } })).toBe(false);
  expect(state.lastEventId).toBe(102);
});

test('all requests that go on are kept, and the latest hundred that have ended', () => {
  for (let index = 0; index < 150; index++) begin(`live-${index}`);
  for (let index = 0; index < 150; index++) {
    begin(`done-${index}`);
    end(`done-${index}`);
  }
  const ended = state.requests.filter((each) => each.end);
  expect(ended).toHaveLength(100);
  expect([ended[0]!.id, ended.at(-1)!.id]).toEqual(['done-149', 'done-50']);
  expect(state.requests).toHaveLength(250);
});

test('a request whose beginning was missed counts all the same', () => {
  end('unknown');
  expect(only().sinceStart).toMatchObject({ turns: 1, failed: 0, inputTokens: 2 });
  expect(state.requests).toEqual([]);
});

test('histories end with the latest of sixty', () => {
  for (let index = 0; index < 70; index++) {
    end(`r-${index}`);
    takeHealth({ type: 'health', state: 'healthy', latencyMs: index, checked: true });
  }
  expect(only().turns).toHaveLength(60);
  expect(only().latency.map(({ ms }) => ms)).toEqual(Array.from({ length: 60 }, (_, index) => index + 10));
});

test('a turn that makes a provider healthy is no measurement', () => {
  takeHealth({ type: 'health', state: 'healthy', latencyMs: 7 });
  expect(only()).toMatchObject({ status: 'healthy', latencyMs: 7, latency: [] });
});

test('why a provider is offline goes when it is healthy again', () => {
  takeHealth({ type: 'health', state: 'offline', reason: 'gone', hint: 'start it', timedOut: true });
  expect(only()).toMatchObject({ status: 'offline', reason: 'gone', hint: 'start it', timedOut: true });
  takeHealth({ type: 'health', state: 'healthy' });
  expect(only()).toMatchObject({ status: 'healthy', reason: null, hint: null, timedOut: false });
});

test('at midnight the totals of the day begin anew, those since the start do not', () => {
  end('before');
  end('after', NOW + 1_000);
  expect([only().today.turns, only().sinceStart.turns]).toEqual([1, 2]);
  expect(state.dayEndsAt).toBe(NOW + 1_000 + DAY_MS);
  takeHealth({ type: 'health', state: 'healthy' }, NOW + 2 * DAY_MS);
  expect([only().today.turns, only().sinceStart.turns]).toEqual([0, 2]);
  end('later', NOW + 2 * DAY_MS);
  beginDay(state, NOW + 5 * DAY_MS);
  expect([only().today.turns, state.dayEndsAt]).toEqual([0, NOW + 1_000 + 5 * DAY_MS]);
});

test('a row that changes is another one, one that does not stays', () => {
  state.providers.push({ ...row, name: 'b' });
  const [one, two] = state.providers;
  end('r');
  expect(state.providers[0]).not.toBe(one);
  expect(state.providers[1]).toBe(two);
});

test('of processes those that go on stay, and the newest', () => {
  for (let pid = 1; pid <= 600; pid++) {
    const uuid = `u-${pid}`;
    const origin = { pid, uuid, daemon: 'd', intent: 'i', workingDirectory: '/' };
    const process = { kind: 'process', pid, uuid } as const;
    take({ ...process, event: { seq: 0, time: NOW, type: 'created', ...origin } });
    if (pid > 10) take({ ...process, event: { seq: 1, time: NOW, type: 'exit', state: 'done', reason: 'finished' } });
  }
  expect([state.processes.length, state.processCount]).toEqual([500, 600]);
  expect(state.processes.slice(-10).map(({ pid }) => pid)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(state.processes[0]!.pid).toBe(600);
});

test('events of a newer daemon do no harm', () => {
  const body = { kind: 'weather', event: { type: 'rain' } } as unknown as LiveEventBody;
  expect(take(body)).toBe(true);
});

test('a request that reached no backend is not a turn, and neither is a count of tokens', () => {
  begin('r');
  request('r', { type: 'end', provider: 'a', status: 429, ms: 5, turnedAway: 'budget' });
  expect([state.requests[0]!.end, only().today.turns]).toEqual([expect.objectContaining({ status: 429 }), 0]);
});

describe('a route', () => {
  const route = { order: 'sequence' as const, targets: [{ name: 'a', weight: 1 }] };
  const attempts = [{ provider: 'b', kind: 'timeout', message: 'late' }];
  beforeEach(() => state.providers.push({ ...row, name: 'smart', kind: 'route', route }));
  const answers = () => state.providers[1]!.answers;

  test('counts what each target has answered, and the request keeps who it was and who did not', () => {
    const ended = { type: 'end', provider: 'a', route: 'smart', ms: 5, booked: true } as const;
    request('r', { type: 'start', provider: 'smart', stream: false });
    request('r', { ...ended, status: 200, attempts });
    expect(state.requests[0]).toMatchObject({ provider: 'smart', end: { target: 'a', attempts } });
    request('s', { ...ended, status: 502, attempts });
    request('t', { ...ended, status: 200, error: 'cut' });
    expect([answers(), only().sinceStart.turns]).toEqual([{ a: 1 }, 3]);
  });

  test('counts the steps of agents', () => {
    const uuid = 'u';
    const event = (body: object, seq: number) =>
      take({ kind: 'process', pid: 1, uuid, event: { seq, time: NOW, ...body } as never });
    event({ type: 'created', pid: 1, uuid, daemon: 'd', intent: 'x', workingDirectory: '/' }, 0);
    event({ type: 'step_end', step: 1, provider: 'a', route: 'smart', ms: 1, finish: 'failed' }, 1);
    event({ type: 'step_end', step: 2, provider: 'a', route: 'smart', ms: 1, finish: 'stop' }, 2);
    expect(answers()).toEqual({ a: 1 });
  });
});
