import { readFileSync, readdirSync } from 'node:fs';

/** Whether CPU time and memory of another process can be read here at all. */
export const hasProc = process.platform === 'linux';

// Linux counts CPU time in /proc/*/stat in ticks of 10 ms on all common platforms.
const TICK_NS = 10_000_000;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // The process or thread has just ended.
  }
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The processes that a process started, without those that they started. Without /proc none is known. */
export function childrenOf(pid) {
  return threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).match(/\d+/g) ?? [])
    .map(Number);
}

/** A process and all its descendants. Without /proc only the process itself is known. */
export function treeOf(pid) {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

/** User and system time of a process, without what its ended children used: the fields 14 and 15 of proc(5). */
export function cpuTicks(pid) {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.length > 12 ? Number(fields[11]) + Number(fields[12]) : 0;
}

function processCpuNs(pid) {
  const exact = threadsOf(pid).reduce((sum, thread) => {
    return sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
  }, 0);
  // A kernel without scheduler statistics has no such file, or zeros in it.
  return exact > 0 ? exact : cpuTicks(pid) * TICK_NS;
}

/** CPU time that a process has used so far, without its children, in microseconds. */
export function ownCpuMicroseconds(pid) {
  return hasProc ? processCpuNs(pid) / 1000 : Number.NaN;
}

/** The processes, wherever they hang, that have a variable of this value in their environment. */
export function processesWith(name, value) {
  const pids = hasProc ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)) : [];
  return pids.map(Number).filter((pid) => `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${name}=${value}\0`));
}

/** CPU time that a process and its descendants have used so far, in microseconds. */
export function cpuMicroseconds(pid) {
  return hasProc ? treeOf(pid).reduce((sum, one) => sum + processCpuNs(one), 0) / 1000 : Number.NaN;
}

/** Resident memory of a process and its descendants, in kB. */
export function residentKb(pid) {
  if (!hasProc) return Number.NaN;
  return treeOf(pid).reduce(
    (sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0),
    0,
  );
}
