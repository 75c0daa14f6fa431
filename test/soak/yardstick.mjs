import { appendFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const RESOLUTION_MS = 10;
const WRITE_EVERY_MS = 100;

/**
 * What this process, which does nothing slow, gets of the same machine at the same time: how late its event loop is, and how
 * long a line takes to a file, from the moment at which it is due. A daemon can be no better than that.
 */
export class Yardstick {
  worstWriteMs = 0;
  #loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #isOver = false;
  #writing;

  start(file) {
    this.#loop.enable();
    this.#writing = this.#write(file);
  }

  get lateMs() {
    return Math.max(0, this.#loop.percentile(99) / 1e6 - RESOLUTION_MS);
  }

  async stop() {
    this.#isOver = true;
    await this.#writing;
  }

  async #write(file) {
    while (!this.#isOver) {
      const due = performance.now() + WRITE_EVERY_MS;
      await pause(WRITE_EVERY_MS);
      await appendFile(file, 'line\n');
      this.worstWriteMs = Math.max(this.worstWriteMs, performance.now() - due);
    }
  }
}
