import { terminate, type Doomed, type Stage } from './terminate';
import { terminateWithoutTable } from './terminate-without-table';
import type { LocalProcesses } from './local-processes';
import { messageOf } from '../errors';

/** Runs that end within the same window are swept together. */
const SWEEP_WINDOW_MS = 500;
const INTERRUPT_MS = 2_000;

/** What is sent to a run that has to end, and when. */
export function stagesOf(firstSignal: 'SIGINT' | 'SIGTERM', graceMs: number): Stage[] {
  const stages: Stage[] = [];
  if (graceMs > 0) stages.push({ signal: firstSignal, afterMs: 0 });
  if (graceMs > 0 && firstSignal === 'SIGINT') {
    stages.push({ signal: 'SIGTERM', afterMs: Math.min(INTERRUPT_MS, graceMs / 2) });
  }
  stages.push({ signal: 'SIGKILL', afterMs: graceMs });
  return stages;
}

/**
 * Resolves between half a second and a second from now, at the same time for everybody: what a program that ended well
 * leaves running may end by itself, and looking once is enough for many.
 */
export function sweepTime(): { reached: Promise<void>; cancel(): void } {
  const now = performance.now();
  const at = (Math.ceil(now / SWEEP_WINDOW_MS) + 1) * SWEEP_WINDOW_MS;
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<void>((resolve) => (timer = setTimeout(resolve, at - now)));
  return { reached, cancel: () => clearTimeout(timer) };
}

/** Ends a run and says what could not be ended. Never rejects. */
export async function endRun(
  pid: number,
  doomed: Doomed,
  stages: readonly Stage[],
  { scanner }: LocalProcesses,
): Promise<{ left: number[]; failure?: string }> {
  let failure: string | undefined;
  if (scanner) {
    try {
      return { left: await terminate(doomed, stages, scanner) };
    } catch (error) {
      failure = `the process table cannot be read: ${messageOf(error)}`;
    }
  }
  await terminateWithoutTable(pid, doomed, stages);
  return { left: [], ...(failure !== undefined && { failure }) };
}
