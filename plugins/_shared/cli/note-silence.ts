import type { Call } from 'drivebay/plugin';

/** Says what may be behind a run that printed nothing until its time was up: its error is core's, and tells of the time only. */
export function noteSilence({ signal, log }: Call, name: string, causes: string): void {
  const { code } = (signal.reason ?? {}) as { code?: unknown };
  if (code === 'timeout') log.warn(`${name} printed nothing at all in the time it had: ${causes}`);
}
