import type { OsProcess, ProcessScanner } from './os-process-table';
import type { ProcessTree } from './process-tree';
import { sendSignal } from './signals';

export interface Doomed {
  tree: ProcessTree;
  /** Settles when the leader has ended. */
  exited: Promise<unknown>;
  hasExited(): boolean;
}

export interface StopStage {
  signal: NodeJS.Signals;
  afterMs: number;
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
/** Only a process that the kernel itself holds survives SIGKILL for so long, for example on a dead network disk. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Signals every process of a tree: each stage once, SIGKILL until nothing is left. Reads the process table again each time,
 * because a process that is ending may still start another one. Resolves with the pids that could not be ended.
 */
export async function terminate(
  doomed: Doomed,
  stages: readonly StopStage[],
  scanner: ProcessScanner,
): Promise<number[]> {
  const { tree } = doomed;
  const began = performance.now();
  /** The last stage whose signal each process got, by pid and start. */
  const told = new Map<string, number>();
  const beyond = new Set<number>();
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const left = tree.members(await scanner.scan(tree.since)).filter(({ pid }) => !beyond.has(pid));
    if (left.length === 0 && doomed.hasExited()) return [...beyond];
    const elapsed = performance.now() - began;
    if (elapsed > GIVE_UP_AFTER_MS + (stages.at(-1)?.afterMs ?? 0)) return [...beyond, ...left.map(({ pid }) => pid)];
    const stage = stages.findLastIndex(({ afterMs }) => afterMs <= elapsed);
    for (const pid of tell(tree, left, stages[stage]?.signal ?? 'SIGKILL', stage, told)) beyond.add(pid);
    const nextStageMs = (stages[stage + 1]?.afterMs ?? Infinity) - elapsed;
    // Speed: the end of the leader ends this pause, and reading the table before that costs a millisecond or more for nothing.
    const isLed = !doomed.hasExited();
    await ended(doomed, Math.min(isLed ? LONGEST_PAUSE_MS : pauseMs, nextStageMs));
    if (!isLed) pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Returns the pids that may not be signalled. */
function tell(
  { leader }: ProcessTree,
  rows: OsProcess[],
  signal: NodeJS.Signals,
  stage: number,
  told: Map<string, number>,
): number[] {
  const key = ({ pid, start }: OsProcess) => `${pid}:${start}`;
  const isFinal = signal === 'SIGKILL';
  const due = rows.filter((row) => isFinal || told.get(key(row)) !== stage);
  const inGroup = rows.filter(({ group }) => group === leader);
  // One call reaches the whole group at once and leaves no gap to fork in. But no process may get a signal twice.
  const isGroupDue = leader !== undefined && inGroup.length > 0 && inGroup.every((row) => due.includes(row));
  if (isGroupDue) sendSignal(-leader, signal);
  const forbidden: number[] = [];
  for (const row of due) {
    told.set(key(row), stage);
    if (isGroupDue && row.group === leader && !isFinal) continue;
    if (sendSignal(row.pid, signal) === 'forbidden') forbidden.push(row.pid);
  }
  return forbidden;
}

async function ended(doomed: Doomed, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
  await (doomed.hasExited() ? limit : Promise.race([doomed.exited, limit]));
  clearTimeout(timer);
}
