import { setTimeout as sleep } from 'node:timers/promises';
import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { measureCancels } from './cancel-scenario.mjs';
import { measureCrowds, timed } from './crowd-scenario.mjs';
import { AFTER_RUN_MS, CLI_DRIVER, runDirectly } from './fake-clis.mjs';
import { ownCpuMicroseconds } from './process-usage.mjs';
import { inTurn } from './request-scenarios.mjs';
import { median } from './results.mjs';

/** Measures the cost of a CLI driver beyond that of its program. */
export async function measureSpawn(targets, plan, results) {
  const gateway = await targets.startGateway(CLI_DRIVER);
  await gateway.untilHealthy();
  const connection = await ChatConnection.open(gateway.port);
  try {
    await measureRuns(gateway, connection, plan, results);
    await measureLines(gateway, connection, plan, results);
  } finally {
    connection.close();
  }
  await measureCrowds(targets, gateway, plan, results);
  await measureCancels(gateway, plan, results);
  await gateway.stop();
}

/** One run after another, some dozens each way in turn. */
async function measureRuns(gateway, connection, plan, results) {
  const message = chatRequest(gateway.port, { model: 'sh:answer' });
  const run = {
    base: () => runDirectly('sh', 'answer'),
    gateway: async () => {
      const { status, body } = await connection.send(message);
      if (status !== 200 || !body.includes('"content":"#0 "')) results.countFailed('gateway', 1);
    },
  };
  const names = Object.keys(run);
  for (const name of names) await timeRuns(run[name], plan.warmUpRuns);
  await sleep(AFTER_RUN_MS);
  const times = { base: [], gateway: [] };
  const before = ownCpuMicroseconds(gateway.pid);
  let directCpu = 0;
  for (let block = 0; block < plan.blocks; block += 1) {
    for (const name of inTurn(names, block)) {
      const ownBefore = ownCpuMicroseconds(process.pid);
      times[name].push(...(await timeRuns(run[name], plan.runs / plan.blocks)));
      if (name === 'base') directCpu += ownCpuMicroseconds(process.pid) - ownBefore;
    }
  }
  // The work after an answer is a part of its cost.
  await sleep(AFTER_RUN_MS);
  const perRun = (cpu) => cpu / plan.runs / 1000;
  results.add('runTime', { base: median(times.base), gateway: median(times.gateway) });
  results.add('runCpu', { base: perRun(directCpu), gateway: perRun(ownCpuMicroseconds(gateway.pid) - before) });
}

async function timeRuns(run, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) times.push(await timed(run));
  return times;
}

/** From the moment at which the program writes a line to its chunk in our hands. */
async function measureLines(gateway, connection, plan, results) {
  const model = `stream-${plan.lines}-5`;
  const direct = new LineClock();
  await runDirectly('node', model, (text) => direct.push(text));
  const clock = new LineClock();
  const message = chatRequest(gateway.port, { model: `node:${model}`, stream: true });
  await connection.send(message, (text) => clock.push(text));
  if (!clock.isWhole(plan.lines)) results.countFailed('gateway', 1);
  results.add('lineTime', { base: median(direct.delays), gateway: median(clock.delays) });
}

/** Reads the times that chunks carry. */
class LineClock {
  delays = [];
  #rest = '';
  #next = 0;
  #inOrder = true;

  push(text) {
    const now = process.hrtime.bigint();
    this.#rest += text;
    let end = 0;
    for (const match of this.#rest.matchAll(/"(?:text|content)":"#(\d+) @(\d+) "/g)) {
      if (Number(match[1]) !== this.#next) this.#inOrder = false;
      this.#next += 1;
      this.delays.push(Number(now - BigInt(match[2])) / 1e6);
      end = match.index + match[0].length;
    }
    this.#rest = this.#rest.slice(end);
  }

  isWhole(count) {
    return this.#inOrder && this.#next === count;
  }
}
