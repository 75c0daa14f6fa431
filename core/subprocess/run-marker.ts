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

export function formatIdentity({ namespace, pid, start }: DaemonIdentity): string {
  return [namespace, pid, start].join('.');
}

/** Undefined for a text of another form. */
export function parseIdentity(text: string): DaemonIdentity | undefined {
  const [, namespace, pid, start] = /^(\w*)\.(\d+)\.(\d+)$/.exec(text) ?? [];
  if (namespace === undefined) return undefined;
  return { namespace, pid: Number(pid), start: Number(start) };
}

export function formatMarker(daemon: DaemonIdentity, run: number): string {
  return `${formatIdentity(daemon)}.${run}`;
}

/** The daemon that a marker names; undefined for a text of another form. */
export function parseMarker(marker: string): DaemonIdentity | undefined {
  const [, daemon] = /^(.*)\.\d+$/.exec(marker) ?? [];
  return daemon === undefined ? undefined : parseIdentity(daemon);
}
