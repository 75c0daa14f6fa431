import { constants } from 'node:os';

/** `usage` covers configuration errors too. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/** The exit code that shells use for a signal: 130 for Ctrl-C. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
