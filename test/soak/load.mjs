import { setMaxListeners } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { KINDS } from './kinds.mjs';

/** After a question that a killed daemon did not answer. */
const AFTER_KILL_MS = 100;
const LOOK_EVERY_MS = 20;
const LONGEST_REST_MS = 10_000;

/** The clients of a house: each asks one thing after the other, with a rest between, until it is told to stop. */
export class Load {
  faults = [];
  /** How many were answered, and how long the latest took, in ms. */
  answered = 0;
  latencies = [];
  #asking = [];
  #isStopped = true;
  #over;
  #asked = 0;
  /** Clients wait for it before they ask. */
  #gate = Promise.resolve();

  constructor(house, marks, { pace, restMs, share = 1 }) {
    Object.assign(this, { house, marks, pace, restMs, share });
  }

  start() {
    this.#isStopped = false;
    this.#over = new AbortController();
    // Each client rests by it.
    setMaxListeners(0, this.#over.signal);
    this.agent = new Agent({ keepAlive: true });
    this.#asking = Object.entries(KINDS).flatMap(([kind, { clients }]) => {
      return Array.from({ length: Math.ceil(clients * this.share) }, () => this.#askOn(kind, KINDS[kind]));
    });
  }

  /** Resolves when the last answer is there, and all connections are closed. */
  async stop() {
    this.#isStopped = true;
    this.#over.abort();
    await Promise.all(this.#asking);
    this.agent.destroy();
  }

  /** Ends early when the load is over. */
  async #rest(ms) {
    await pause(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  /** Runs work while nothing is asked, and all that was asked has its answer. */
  async atRest(work) {
    let open;
    this.#gate = new Promise((resolve) => (open = resolve));
    try {
      while (this.#asked > 0) await pause(LOOK_EVERY_MS);
      await work();
    } finally {
      open();
    }
  }

  async #askOn(kind, { ask, asks, restMs = this.restMs, mayBreak = false }) {
    // They do not all begin in one moment.
    await this.#rest(Math.random() * restMs);
    while (!this.#isStopped) {
      await this.#gate;
      if (this.#isStopped) return;
      this.#asked += 1;
      const mark = this.marks.make(kind, asks);
      const client = { house: this.house, port: this.house.port, agent: this.agent };
      if (mayBreak) client.mayBreak = (_, text) => text.includes('error');
      const startedAt = performance.now();
      const outcome = await ask(client, mark).catch((error) => error);
      mark.endedAt = Date.now();
      this.#asked -= 1;
      this.#judge(mark, outcome, performance.now() - startedAt);
      const paced = Math.min(restMs * this.pace.factor, Math.max(restMs, LONGEST_REST_MS));
      await this.#rest(mark.state === 'cut' ? AFTER_KILL_MS : paced);
    }
  }

  #judge(mark, outcome, ms) {
    const wasDown = this.house.wasDown(mark.startedAt, mark.endedAt);
    if (outcome === undefined) {
      mark.state = 'whole';
      this.answered += 1;
      if (mark.kind === 'chat') this.latencies.push(ms);
    } else if (outcome === 'left' || outcome === 'broken') mark.state = outcome;
    else if (wasDown) mark.state = 'cut';
    else {
      mark.state = 'lost';
      this.faults.push(`${mark.kind} ${mark.name}: ${outcome.message ?? outcome}`);
    }
  }

  /** The latencies since the last look. */
  takeLatencies() {
    const taken = this.latencies;
    this.latencies = [];
    return taken.sort((one, other) => one - other);
  }
}
