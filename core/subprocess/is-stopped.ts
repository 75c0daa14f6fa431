import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process is stopped, as by Ctrl-Z. */
export function isStopped(pid: number): boolean {
  try {
    return stateOf(pid).startsWith('T');
  } catch {
    return false;
  }
}

function stateOf(pid: number): string {
  if (!existsSync('/proc/self/stat'))
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name before the state may hold spaces and brackets.
  return text.slice(text.lastIndexOf(')') + 2);
}
