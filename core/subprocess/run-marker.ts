/**
 * The variable that every process of a run has in its environment, and hands on to what it starts. It finds the processes
 * that left the process group, and says which daemon they belong to.
 */
export const RUN_MARKER = 'DRIVEBAY_RUN_ID';

/** A daemon of this machine. A process id alone is not enough: the system uses it again. */
export interface DaemonIdentity {
  /** Process ids mean something within one namespace only; containers have their own. */
  namespace: string;
  pid: number;
  /** In the unit of the process table. */
  start: number;
}

export function formatIdentity({ namespace, pid, start }: DaemonIdentity): string {
  return [namespace, pid, start].join('.');
}

/** Undefined for a text of another form. */
export function parseIdentity(text: string): DaemonIdentity | undefined {
  const [, namespace, pid, start] = /^(\w*)\.(\d+)\.(\d+)$/.exec(text) ?? [];
  return namespace === undefined ? undefined : { namespace, pid: Number(pid), start: Number(start) };
}

export function formatMarker(daemon: DaemonIdentity, run: number): string {
  return `${formatIdentity(daemon)}.${run}`;
}

/** The daemon that a marker names; undefined for a text of another form. */
export function parseMarker(marker: string): DaemonIdentity | undefined {
  return parseIdentity(marker.replace(/\.\d+$/, ''));
}
