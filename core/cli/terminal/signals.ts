import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Logger } from '../../contract/api';
import { EXIT, exitCodeOf } from '../exit-codes';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a shell that ends may take to close its terminal. */
const TERMINAL_MS = 1_000;

type EndSignal = (typeof SIGNALS)[number];

/** Calls the listener at each signal, and the program goes on. Returns what removes the listener. */
export function onSignal(listener: (signal: EndSignal) => void, signals: readonly EndSignal[] = SIGNALS): () => void {
  signals.forEach((signal) => process.on(signal, listener));
  return () => signals.forEach((signal) => process.off(signal, listener));
}

/** A signal ended the command before its answer: the command prints nothing more. */
export class InterruptedError extends Error {
  readonly exitCode: number;

  constructor(signal: EndSignal) {
    super(`ended by ${signal}`);
    this.exitCode = exitCodeOf(signal);
  }
}

/** Settles like `work`, or rejects at the first signal, so that the caller can clean up. The second signal ends at once. */
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

/** A disk may hold a thread, and then `process.exit` waits for the disk: a third signal ends even that. */
function endAtOnce(exitCode: number): never {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  process.exit(exitCode);
}

/** The end of a program that serves: the first signal lets running answers finish, the second ends at once. */
export class GracefulEnd {
  exitCode: number | undefined;

  constructor(
    private readonly log: Logger,
    private readonly close: (exitCode: number) => void,
  ) {}

  /** From now on a signal begins the end; SIGHUP only where it comes from a terminal that is gone. */
  onSignals({ reload }: { reload: () => void }): void {
    const isLost = watchTerminal();
    onSignal((signal) => {
      if (signal === 'SIGHUP' && !isLost()) {
        reload();
        // A shell that ends may send the signal before its terminal is gone.
        setTimeout(() => isLost() && this.begin(EXIT.ok), TERMINAL_MS).unref();
        return;
      }
      const isInterrupt = signal === 'SIGINT';
      if (this.exitCode !== undefined) endAtOnce(isInterrupt ? EXIT.interrupted : EXIT.failure);
      this.begin(isInterrupt ? EXIT.interrupted : EXIT.ok);
    });
  }

  begin(exitCode: number): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = exitCode;
    this.log.info('ending: running answers have 10 s; a second signal ends at once');
    this.close(exitCode);
  }
}

/** Returns what says whether the terminal that this program was started in was closed: SIGHUP is sent for that, and for a reload. */
function watchTerminal(): () => boolean {
  const wasThere = [0, 1, 2].some((descriptor) => isatty(descriptor));
  return () => {
    try {
      if (wasThere) closeSync(openSync('/dev/tty', 'r'));
      return false;
    } catch {
      return true;
    }
  };
}

/**
 * Call it at the start. A Node program whose terminal was closed cannot give the terminal back at its end: it aborts, and the
 * system keeps the memory of a crash. Such a program ends by SIGHUP, as one without a listener does.
 */
export function endByHangup(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    if (terminals.every((descriptor) => isatty(descriptor))) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
