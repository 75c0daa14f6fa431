import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesWith } from '../bench/process-usage.mjs';
import { Backend } from './backend.mjs';
import { House } from './house.mjs';

/** The folder of a run with its houses. Whatever way the soak ends, it leaves no process and no file of them. */
export class Stage {
  at = 'the start';
  onStep = () => undefined;
  #folder = realpathSync(mkdtempSync(join(tmpdir(), 'drivebay-soak-')));
  #houses = [];

  constructor() {
    process.on('exit', () => this.#clean());
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
      process.on(signal, () => process.exit(code));
    }
  }

  step(text) {
    this.at = text;
    this.onStep(text);
  }

  /** The path of a file that goes with the stage. */
  fileOf(name) {
    return join(this.#folder, name);
  }

  async openHouse(name) {
    const backends = { main: new Backend(), dying: new Backend() };
    for (const backend of Object.values(backends)) await backend.start();
    const house = new House(this.#folder, name, backends);
    this.#houses.push(house);
    await house.start();
    return house;
  }

  #clean() {
    for (const { home } of this.#houses) {
      for (const pid of processesWith('HOME', home)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended in between.
        }
      }
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
