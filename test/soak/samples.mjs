import { get } from '../bench/chat-connection.mjs';
import { send } from './send.mjs';

const MB = 1024 * 1024;

/** What a daemon tells of itself while it works, and its clients of it. */
export class Samples {
  all = [];
  #startedAt = performance.now();

  constructor(house, load, sabotages) {
    Object.assign(this, { house, load });
    this.words = ['tell', ...sabotages.flatMap(({ atSample }) => atSample ?? [])].join(' ');
  }

  /** With what the daemon holds: nothing is under way then, so that two of these differ by what stays. */
  takeAtRest() {
    return this.load.atRest(async () => {
      const probe = await this.#probe();
      Object.assign(await this.take(), probe);
    });
  }

  async take() {
    const { house, load } = this;
    const { body } = await get(house.port, '/metrics');
    const value = (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1] ?? Number.NaN);
    const latencies = load.takeLatencies();
    const sample = {
      seconds: (performance.now() - this.#startedAt) / 1000,
      answered: load.answered,
      resident: value('process_memory_usage_bytes') / MB,
      heap: value('v8js_memory_heap_used_bytes') / MB,
      loopP50: value('nodejs_eventloop_delay_p50_seconds') * 1000,
      loopP99: value('nodejs_eventloop_delay_p99_seconds') * 1000,
      latencyP50: latencies[Math.floor(latencies.length * 0.5)],
      latencyP99: latencies[Math.floor(latencies.length * 0.99)],
      openFiles: house.openFiles.length,
    };
    this.all.push(sample);
    return sample;
  }

  /** What the daemon holds after a collection of garbage, and how late it was since its start. */
  async #probe() {
    const messages = [{ role: 'user', content: this.words }];
    const body = { model: 'probe:m', messages };
    const { status, text } = await send({ port: this.house.port, agent: false, path: '/v1/chat/completions', body });
    if (status !== 200) throw new Error(`the probe does not answer: ${status} ${text}`);
    const { live, late } = JSON.parse(JSON.parse(text).choices[0].message.content);
    return { live: live / MB, late };
  }
}
