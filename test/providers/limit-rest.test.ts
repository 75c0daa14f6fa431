import { buildRoutes } from '../../core/devices/build-routes';
import { Limits } from '../../core/limits/limits';
import type { ProviderEvent } from '../../core/record/live-event';
import { makeProvider } from './settings';

const NOON = new Date(2026, 10, 23, 12).getTime();

beforeEach(() => jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

function limitedTarget() {
  const events: ProviderEvent[] = [];
  const limits = new Limits({ type: 'provider', name: 'p' }, { requests_per_minute: 1 });
  const provider = makeProvider({ limits, report: (event) => void events.push(event) });
  const targets = [{ name: 'p', weight: 1 }];
  const entry = { name: 'r', order: 'sequence' as const, timeoutSec: 0, targets, place: { file: 'f' } };
  return { limits, events, provider, route: buildRoutes([entry], [provider])[0]!.device };
}

test('a route that comes by a provider over its limit tells of its rest, once for each rest', () => {
  const { limits, events, route } = limitedTarget();
  expect(route.restOf(undefined)).toBeUndefined();
  limits.enter();
  const rest = { kind: 'rate_limit_exceeded', since: NOON, until: NOON + 60_000 };
  expect(route.restOf(undefined)).toMatchObject(rest);
  expect(events).toEqual([{ type: 'rests', rests: [expect.objectContaining(rest)] }]);
  jest.setSystemTime(NOON + 30_000);
  expect(route.rests).toEqual([expect.objectContaining(rest)]);
  expect(events).toHaveLength(1);
  jest.setSystemTime(NOON + 60_000);
  expect(route.restOf(undefined)).toBeUndefined();
  limits.enter();
  expect(route.restOf(undefined)).toMatchObject({ since: NOON + 60_000, until: NOON + 120_000 });
  expect(events).toHaveLength(2);
});

test('what a failure has taught goes on beside the rest of a limit, and the longer one counts', () => {
  const { limits, events, provider } = limitedTarget();
  limits.enter();
  const until = NOON + 120_000;
  provider.restBook.adopt([{ kind: 'overloaded', message: 'm', since: NOON, until, isNamed: true, failures: 1 }]);
  expect(events.at(-1)).toMatchObject({ rests: [{ kind: 'overloaded' }, { kind: 'rate_limit_exceeded' }] });
  expect(provider.restOf(undefined)).toMatchObject({ kind: 'overloaded' });
});
