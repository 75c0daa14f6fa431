import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Whoever waited is not wanted any more. */
class NotWantedError extends Error {
  readonly code = 'not_wanted';
}

/**
 * Lets one process start at a time, and gives everything else as long as each start took. Starting a process blocks the
 * event loop, up to 20 ms when the processor is busy with processes just started: fifty in a row would stop every other
 * answer for a second. It limits starts only, not how many run.
 */
export class StartGate {
  private last: Promise<void> = Promise.resolve();

  /** Runs `start` when it is its turn, unless it is not wanted any more. */
  async run<T>(start: () => T, isUnwanted: () => boolean): Promise<T> {
    const turn = this.last;
    let leave!: () => void;
    this.last = new Promise((resolve) => (leave = resolve));
    await turn;
    // A client that has left already shows at the next look for input, which comes between these two.
    await nextTurn();
    await nextTurn();
    if (isUnwanted()) {
      leave();
      throw new NotWantedError('not wanted any more');
    }
    const began = performance.now();
    try {
      return start();
    } finally {
      void pause(performance.now() - began).then(leave);
    }
  }
}
