import { codeOf } from '../errors';

/**
 * Sends a signal to a process, or to a group for a negative number; 0 only asks whether it is there. `forbidden`: it
 * belongs to another user.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'forbidden' {
  // 0 and -1 mean every process, 1 is the system.
  if (Math.abs(pid) <= 1) return 'forbidden';
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    return codeOf(error) === 'EPERM' ? 'forbidden' : 'gone';
  }
}
