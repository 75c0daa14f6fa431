import { type EndSignal, exitCodeOf, onSignal } from './on-signal';

/** A signal ended the command before it had its answer: nothing more is printed. */
export class InterruptedError extends Error {
  /** 130 for Ctrl-C, as shells have it. */
  readonly exitCode: number;

  constructor(signal: EndSignal) {
    super(`ended by ${signal}`);
    this.name = 'InterruptedError';
    this.exitCode = exitCodeOf(signal);
  }
}

/** Settles like `work`, or rejects at the first signal, so that the caller can tidy up. The second one ends at once. */
export async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  let forget!: () => void;
  const interrupted = new Promise<never>((_, reject) => {
    forget = onSignal((signal) => {
      forget();
      reject(new InterruptedError(signal));
    });
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    forget();
  }
}
