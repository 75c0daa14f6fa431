import { cpus } from 'node:os';

const LOOK_EVERY_MS = 1_000;
/** What the load leaves free of the machine. Between the two nothing changes. */
const LEAST_IDLE = 0.3;
const MOST_IDLE = 0.5;
const MOST_REST = 20;

/** How much longer than they need clients rest, so that the daemon is measured and not a machine without free time. */
export class Pace {
  factor = 1;
  #last = look();

  start() {
    this.#last = look();
    setInterval(() => this.#adjust(), LOOK_EVERY_MS).unref();
  }

  #adjust() {
    const now = look();
    const idle = (now.idle - this.#last.idle) / (now.all - this.#last.all);
    this.#last = now;
    if (idle < LEAST_IDLE) this.factor = Math.min(MOST_REST, this.factor * 1.25);
    else if (idle > MOST_IDLE) this.factor = Math.max(1, this.factor / 1.1);
  }
}

function look() {
  const times = cpus().map((each) => each.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  return { idle, all: performance.now() * times.length };
}
