import type { LlmDevice } from '../../devices/device';
import { productVersion } from '../../package';
import type { InstrumentName, Labels, Reading } from './instruments';
import type { LoopDelay } from './loop-delay';

interface Sources {
  mode: string;
  /** The devices of every open project. */
  devices: readonly LlmDevice[];
  inFlight: number;
  processes: number;
  delay: LoopDelay;
}

/** What is true at this moment. Providers of one name, in several projects, are added up; one that is offline counts. */
export function readGauges({ mode, devices, inFlight, processes, delay }: Sources): Reading[] {
  const readings = new Map<string, Reading>();
  const put = (
    name: InstrumentName,
    value: number | undefined,
    labels: Labels = {},
    join = (one: number, other: number) => one + other,
  ) => {
    if (value === undefined || Number.isNaN(value)) return;
    const key = JSON.stringify([name, labels]);
    const known = readings.get(key);
    readings.set(key, { name, value: known ? join(known.value, value) : value, labels });
  };
  put('drivebay.info', 1, { version: productVersion, mode });
  put('drivebay.requests.in_flight', inFlight);
  put('drivebay.processes', processes);
  for (const { name: provider, load, health, rests, kept, programs } of devices) {
    put('drivebay.provider.running', load?.running, { provider });
    put('drivebay.provider.waiting', load?.waiting, { provider });
    put('drivebay.provider.limit', load?.limit, { provider });
    const up = health.state === 'unchecked' ? undefined : Number(health.state === 'healthy');
    put('drivebay.provider.up', up, { provider }, Math.min);
    put('drivebay.provider.rests', rests.length, { provider });
    for (const { state } of kept) put('drivebay.provider.kept', 1, { provider, state });
    put('drivebay.provider.programs', programs.count, { provider });
  }
  const { p50, p99, max } = delay.take();
  put('nodejs.eventloop.delay.p50', p50);
  put('nodejs.eventloop.delay.p99', p99);
  put('nodejs.eventloop.delay.max', max);
  const { rss, heapUsed } = process.memoryUsage();
  put('process.memory.usage', rss);
  put('v8js.memory.heap.used', heapUsed);
  const { user, system } = process.cpuUsage();
  put('process.cpu.time', (user + system) / 1e6);
  put('process.uptime', process.uptime());
  return [...readings.values()];
}
