import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/**
 * Lets one process start at a time, and then gives everything else as long as the start took. Starting a process blocks
 * the event loop, for up to 20 ms when other processes have just started: fifty in a row would stop every other answer for
 * a second. The gate limits starts only, not how many processes run.
 */
export class StartGate {
  private last: Promise<void> = Promise.resolve();

  async run<T>(start: () => T): Promise<T> {
    const turn = this.last;
    let leave!: () => void;
    this.last = new Promise((resolve) => (leave = resolve));
    await turn;
    // Input is read between these two. It may say that a client has left, whose process is not wanted any more.
    await nextTurn();
    await nextTurn();
    const began = performance.now();
    try {
      return start();
    } finally {
      void pause(performance.now() - began).then(leave);
    }
  }
}
