import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What asks a command to end. */
export type EndSignal = (typeof SIGNALS)[number];

/** Calls back at each of these signals, instead of ending the program, until the function returned is called. */
export function onSignal(listener: (signal: EndSignal) => void): () => void {
  SIGNALS.forEach((signal) => process.on(signal, listener));
  return () => SIGNALS.forEach((signal) => process.off(signal, listener));
}

/** As shells have it: 130 for Ctrl-C. */
export function exitCodeOf(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}
