/**
 * The variable that every process of a run carries in its environment, whatever it forks: it finds those that left the
 * process group, and it says which daemon they belong to.
 */
export const RUN_MARKER = 'DRIVEBAY_RUN_ID';

/** Which daemon, on this machine and until it is started again: a process id alone is used again. */
export interface DaemonIdentity {
  /** Process ids mean something within one namespace only; containers have their own. */
  namespace: string;
  pid: number;
  /** In the unit of the process table. */
  start: number;
}

export function formatMarker({ namespace, pid, start }: DaemonIdentity, run: number): string {
  return [namespace, pid, start, run].join('.');
}

/** The daemon that a marker names; undefined for a text of another form. */
export function parseMarker(marker: string): DaemonIdentity | undefined {
  const [, namespace, pid, start] = /^(\w*)\.(\d+)\.(\d+)\.\d+$/.exec(marker) ?? [];
  if (namespace === undefined) return undefined;
  return { namespace, pid: Number(pid), start: Number(start) };
}
