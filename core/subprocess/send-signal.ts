import { codeOf } from '../errors';

/** False when the process, or group for a negative number, belongs to somebody else and cannot be ended by us. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  // 0 and -1 are everybody, 1 is the system.
  if (Math.abs(pid) <= 1) return false;
  try {
    process.kill(pid, signal);
  } catch (error) {
    return codeOf(error) !== 'EPERM';
  }
  return true;
}
