import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal ended the command before it had its answer: nothing more is printed. */
export class InterruptedError extends Error {
  /** 130 for Ctrl-C, as shells have it. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`ended by ${signal}`);
    this.name = 'InterruptedError';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Settles like `work`, or rejects at the first signal, so that the caller can tidy up. The second one ends at once. */
export async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  let interrupt!: (signal: (typeof SIGNALS)[number]) => void;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = (signal) => {
      forget();
      reject(new InterruptedError(signal));
    };
  });
  const forget = () => SIGNALS.forEach((signal) => process.off(signal, interrupt));
  SIGNALS.forEach((signal) => process.on(signal, interrupt));
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    forget();
  }
}
