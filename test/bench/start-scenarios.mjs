import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENT } from './processes.mjs';
import { residentKb } from './process-usage.mjs';

/** Node itself, starting and ending. */
export function bareNodeMs() {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: ENVIRONMENT });
    child.once('error', reject);
    child.once('exit', () => resolve(performance.now() - started));
  });
}

async function startMs(target) {
  const time = await target.untilHealthy();
  await target.stop();
  return time;
}

/** From the start of a process to its first 200 on /health, against Node itself starting and ending. */
export async function measureStart(targets, plan, results) {
  for (let start = 0; start < plan.starts; start += 1) {
    const base = await bareNodeMs();
    const floor = await startMs(await targets.startFloor());
    const gateway = await startMs(await targets.startGateway());
    results.add('start', { base, floor, gateway });
  }
}

/** Memory of processes that have just started and do nothing. */
export async function measureIdle(targets, _plan, results) {
  const { floor, gateway } = await targets.startPair();
  await sleep(3000);
  results.add('idleMemory', { floor: residentKb(floor.pid) / 1024, gateway: residentKb(gateway.pid) / 1024 });
  await Promise.all([floor.stop(), gateway.stop()]);
}
