import { join } from 'node:path';
import { Metrics } from '../../../core/daemon/metrics/metrics';
import { readGauges } from '../../../core/daemon/metrics/read-gauges';
import { BoundedLabels, OTHER } from '../../../core/daemon/metrics/bounded-labels';
import { LoopDelay } from '../../../core/daemon/metrics/loop-delay';
import type { Driver } from '../../../core/contract/api';
import type { LlmDevice } from '../../../core/devices/device';
import { Redactor } from '../../../core/contract/redact';
import { Refusals } from '../../../core/limits/refusals';
import { HealthWatch } from '../../../core/providers/health';
import { EventStream } from '../../../core/record/event-stream';
import { Ledger } from '../../../core/record/ledger';
import { makeProvider, quiet } from '../../providers/settings';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';

const delay = new LoopDelay();
afterAll(() => delay.stop());
afterEach(() => jest.useRealTimers());

const read = (devices: readonly LlmDevice[]) => {
  const readings = readGauges({ mode: 'serve', devices, inFlight: 0, processes: 0, delay });
  return (name: string, labels: object = {}) =>
    readings.find((each) => each.name === name && JSON.stringify(each.labels) === JSON.stringify(labels))?.value;
};

test('programs and what drivers keep are told by provider and state', () => {
  const kept = [
    { state: 'spare' as const, since: 0, pid: 1 },
    { state: 'spare' as const, since: 0, pid: 2 },
    { state: 'waiting' as const, since: 0, pid: 3 },
  ];
  const gone = () => Promise.resolve();
  const programs = { count: 3, close: gone, ended: gone, idle: gone };
  const value = read([makeProvider({ kept: { list: () => kept, close: () => undefined }, programs }, { name: 'cli' })]);
  expect(value('drivebay.provider.programs', { provider: 'cli' })).toBe(3);
  expect(value('drivebay.provider.kept', { provider: 'cli', state: 'spare' })).toBe(2);
  expect(value('drivebay.provider.kept', { provider: 'cli', state: 'waiting' })).toBe(1);
});

test('providers of one name are added up, and one that is offline makes them offline', () => {
  const busy = makeProvider({}, { name: 'same', maxConcurrency: 2 });
  const other = makeProvider({}, { name: 'same', maxConcurrency: 3 });
  expect(read([busy, other])('drivebay.provider.limit', { provider: 'same' })).toBe(5);
  expect(read([busy])('drivebay.provider.up', { provider: 'same' })).toBeUndefined();
  busy.watch.noteSuccess();
  other.watch.noteSuccess();
  expect(busy.watch).toBeInstanceOf(HealthWatch);
  expect(read([busy, other])('drivebay.provider.up', { provider: 'same' })).toBe(1);
});

test('the metrics show that a provider has come back, even if it gets no request', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const home = new TempHome();
  const check = jest.fn(() => Promise.resolve({})).mockRejectedValueOnce(new Error('not yet'));
  const provider = makeProvider({ makeDriver: () => Promise.resolve({ check } as unknown as Driver) });
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const metrics = new Metrics({
    mode: 'serve',
    stream: new EventStream(),
    ledger: new Ledger({ state: join(home.directory, 'state'), redactor: new Redactor(), log }),
    refusals: new Refusals(),
    devices: () => Promise.resolve([provider]),
    inFlight: () => 0,
    processes: () => Promise.resolve(0),
  });
  const isUp = async () => (await metrics.read()).find(({ name }) => name === 'drivebay.provider.up')?.value;
  await provider.check();
  expect(await isUp()).toBe(0);
  jest.setSystemTime(Date.now() + 15_000);
  await until(async () => (await isUp()) === 1);
  await metrics.close();
  home.remove();
});

test('a late event loop shows in its delay', async () => {
  const own = new LoopDelay();
  // The first sample begins the measuring, the next one tells the delay: each is due after a block, in the next turns.
  for (const ms of [20, 60]) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
  }
  const { p50, max } = own.take();
  own.stop();
  expect(max).toBeGreaterThan(0.02);
  expect(p50).toBeLessThanOrEqual(max!);
});

test('above the limit of series open labels become other, and labels of the configuration stay', () => {
  const labels = new BoundedLabels();
  labels.configure(new Set(Array.from({ length: 600 }, (_, n) => `m-${n}`)));
  const of = (model: string) => labels.of('drivebay.tokens', { provider: 'p', model, type: 'input' });
  for (let n = 0; n < 500; n += 1) expect(of(`m-${n}`).model).toBe(`m-${n}`);
  expect(of('m-550')).toEqual({ provider: 'p', model: OTHER, type: 'input' });
  expect(of('m-3').model).toBe('m-3');
});

test('a label without a value is left out, and so is one that the metric does not have', () => {
  const labels = new BoundedLabels();
  expect(labels.of('drivebay.warm', { provider: 'p', warm: 'hit', model: 'm' })).toEqual({
    provider: 'p',
    warm: 'hit',
  });
  expect(labels.of('drivebay.cost', { provider: 'p', model: undefined })).toEqual({ provider: 'p' });
});
