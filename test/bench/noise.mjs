import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { readFileSync } from 'node:fs';
import { hasProc } from './process-usage.mjs';

// /proc counts in ticks of 10 ms.
const TICKS_PER_SECOND = 100;

/** Ticks that all processors together were busy, and those of the bench with all its processes that have ended. */
function readTicks() {
  const [user, nice, system, , , irq, softIrq] = /^cpu +(.*)$/m
    .exec(readFileSync('/proc/stat', 'utf8'))[1]
    .split(' ')
    .map(Number);
  const own = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return { busy: user + nice + system + irq + softIrq, own: own.reduce((sum, ticks) => sum + ticks, 0) };
}

const block = Buffer.alloc(2 ** 20, 7);

/** Some ten milliseconds of hashing, which no JIT compiler has a hand in; returns how long it took. */
function doFixedWork() {
  const started = performance.now();
  const hash = createHash('sha256');
  for (let time = 0; time < 16; time += 1) hash.update(block);
  hash.digest();
  return performance.now() - started;
}

/** Tells how undisturbed a run was: by a fixed piece of work, and by what other processes of the machine used. */
export class Noise {
  #works = [];
  #started = performance.now();
  #before = hasProc ? readTicks() : undefined;

  /** Called between scenarios, when none of our processes has anything to do. */
  sample() {
    this.#works.push(doFixedWork());
  }

  /** To be called after the processes of the bench have ended, because only then their time counts as ours. */
  summary() {
    const fixed = `a fixed piece of work took ${Math.min(...this.#works).toFixed(0)} to ${Math.max(...this.#works).toFixed(0)} ms`;
    if (!this.#before) return `noise: ${fixed}`;
    const now = readTicks();
    const others = now.busy - this.#before.busy - (now.own - this.#before.own);
    const seconds = (performance.now() - this.#started) / 1000;
    const percent = Math.max(0, (100 * others) / TICKS_PER_SECOND / seconds);
    return `noise: ${fixed}; other processes used ${percent.toFixed(0)} % of one of ${cpus().length} processors`;
  }
}
