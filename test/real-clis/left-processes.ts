import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 100;
const LIMIT_MS = 30_000;

/** The processes of runs with this home folder, by the environment that everything they start has from them. */
function runningIn(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return environment.includes(`HOME=${home}`) && environment.some((entry) => entry.startsWith('DRIVEBAY_RUN_ID='));
    } catch {
      return false;
    }
  });
}

/** What the processes of runs with this home folder take, in MB. */
export function memoryIn(home: string): number {
  return runningIn(home).reduce((sum, pid) => sum + sizeOf(pid), 0) / 1024;
}

/** In kB; 0 for one that has ended meanwhile. */
function sizeOf(pid: string): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Resolves when at least so many processes of runs are there. */
export function processesStarted(home: string, count: number): Promise<void> {
  return until(home, (running) => running >= count);
}

/** Resolves when none is left. */
export function processesGone(home: string): Promise<void> {
  return until(home, (running) => running === 0);
}

async function until(home: string, isReached: (running: number) => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  for (let running = runningIn(home); !isReached(running.length); running = runningIn(home)) {
    if (performance.now() > end)
      throw new Error(`${running.length} processes after ${LIMIT_MS / 1000} s: ${running.join(' ')}`);
    await pause(PAUSE_MS);
  }
}
