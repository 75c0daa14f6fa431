import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicroseconds } from './process-usage.mjs';
import { median, percentile } from './results.mjs';
import { sendRequests } from './send-requests.mjs';

/** The names in an order that turns with every block, so that none always runs first. */
export function inTurn(names, block) {
  const shift = block % names.length;
  return [...names.slice(shift), ...names.slice(0, shift)];
}

/** CPU time that a target uses while something is done, in microseconds, with what it still does right afterwards. */
export async function cpuDuring(target, work) {
  const before = cpuMicroseconds(target.pid);
  const result = await work();
  await sleep(20);
  return { result, cpu: cpuMicroseconds(target.pid) - before };
}

async function measureBlock(targets, name, count, results) {
  const { port, door, model } = targets[name];
  const work = () => sendRequests(port, { connections: 10, count, door, model });
  const { result, cpu } = await cpuDuring(targets[name], work);
  results.countFailed(name, result.failed);
  return { cpu: cpu / count, rate: count / result.seconds, p99: percentile(result.latencies, 99) };
}

/** The first requests of fresh processes, which is where a local daemon lives most of the time; then the warm-up. */
export async function warmUp(targets, plan, results) {
  const cold = {};
  for (const name of ['floor', 'gateway']) cold[name] = (await measureBlock(targets, name, plan.cold, results)).cpu;
  results.add('coldCpu', cold);
  for (const name of ['floor', 'gateway']) await measureBlock(targets, name, plan.warmUp - plan.cold, results);
}

export async function measureRequests(targets, plan, results) {
  for (let block = 0; block < plan.blocks; block += 1) {
    const cpu = {};
    const rate = {};
    const p99 = {};
    for (const name of inTurn(['floor', 'gateway'], block)) {
      const block = await measureBlock(targets, name, plan.requestsPerBlock, results);
      ({ cpu: cpu[name], rate: rate[name], p99: p99[name] } = block);
    }
    results.add('requestCpu', cpu);
    results.add('requestRate', rate);
    results.add('requestP99', p99);
  }
}

/** What the gateway itself tells of its own work, with 100 requests under way at once. */
export async function measureOverhead(targets, plan, results) {
  for (let block = 0; block < plan.blocks; block += 1) {
    const { port, model } = targets.gateway;
    const options = { connections: 100, count: plan.requestsPerBlock, model };
    const { overheads, failed } = await sendRequests(port, options);
    if (overheads.length < plan.requestsPerBlock) throw new Error('not every answer told its overhead');
    results.countFailed('gateway', failed);
    results.add('overhead', { gateway: median(overheads) });
    results.add('overheadP99', { gateway: percentile(overheads, 99) });
  }
}

export async function measureLatency(targets, plan, results) {
  for (let block = 0; block < plan.blocks; block += 1) {
    const p50 = {};
    for (const name of inTurn(['direct', 'floor', 'gateway'], block)) {
      const { port, model } = targets[name];
      const options = { connections: 1, count: plan.latenciesPerBlock, model };
      const { latencies, failed } = await sendRequests(port, options);
      results.countFailed(name, failed);
      p50[name] = median(latencies);
    }
    results.add('latency', { base: p50.direct, floor: p50.floor, gateway: p50.gateway });
  }
}
