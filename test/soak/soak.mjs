import { setTimeout as pause } from 'node:timers/promises';
import { describeRun } from './figures.mjs';
import { judgeHouse } from './judge-house.mjs';
import { isUnended, judgeSamples } from './judge.mjs';
import { findLeftovers } from './leftovers.mjs';
import { Load } from './load.mjs';
import { Marks } from './marks.mjs';
import { limitsFor } from './options.mjs';
import { Pace } from './pace.mjs';
import { Samples } from './samples.mjs';
import { keepBusy } from './schedule.mjs';
import { judgeFiles, settle } from './settle.mjs';
import { Yardstick } from './yardstick.mjs';

const WARM_UP_MS = 4_000;
const LOOK_EVERY_MS = 200;
const END_LIMIT_MS = 20_000;

/** The whole run. Resolves with what each rule has found, and what was measured. */
export async function soak(stage, { seconds, times, growth, sabotages }) {
  stage.step('two daemons start');
  const [steady, killed] = [await stage.openHouse('steady'), await stage.openHouse('killed')];
  const pace = new Pace();
  const loads = [
    new Load(steady, new Marks(), { pace, restMs: 50 }),
    new Load(killed, new Marks(), { pace, restMs: 150, share: 0.5 }),
  ];
  stage.step('warm-up');
  pace.start();
  await startAndStop(loads[0], WARM_UP_MS);
  const filesBefore = await settle(steady);
  for (const { atStart } of sabotages) atStart?.(steady);
  stage.step(`load for ${seconds} s, and kill -9 each ${times.killEveryS} s`);
  const samples = new Samples(steady, loads[0], sabotages);
  const yardstick = new Yardstick();
  yardstick.start(stage.fileOf('yardstick'));
  const begun = Date.now();
  for (const load of loads) load.start();
  await keepBusy({ steady, killed, samples, seconds, limits: times });
  const ended = Date.now();
  stage.step('the last answers');
  await Promise.all(loads.map((load) => load.stop()));
  await samples.takeAtRest();
  await yardstick.stop();
  const limits = { ...growth, ...limitsFor(yardstick) };
  const filesAfter = await settle(steady, filesBefore);
  stage.step('the checks');
  for (const { beforeChecks } of sabotages) beforeChecks?.({ steady });
  const records = await Promise.all([steady, killed].map((house) => recordsOf(house)));
  const ends = await Promise.all([steady, killed].map((house) => house.stop()));
  for (const { afterStop } of sabotages) afterStop?.({ steady, killed });
  const both = loads.map((load, index) => judgeHouse(load, records[index], limits.lostMs));
  const leftovers = [...(await findLeftovers(steady, ended)), ...(await findLeftovers(killed, ended))];
  const pick = (name) => both.flatMap((each) => each[name]);
  const rules = [
    { name: 'no request lost', found: pick('lost') },
    { name: 'no request asked twice', found: pick('questions') },
    { name: 'the ledger is what backends have counted', found: pick('ledger') },
    { name: 'each agent has its end', found: pick('agents') },
    {
      name: 'nothing is left',
      found: [...ends.filter((end) => end !== undefined), ...leftovers, ...judgeFiles(filesBefore, filesAfter)],
    },
    { name: 'memory and event loop', found: judgeSamples(samples.all, limits) },
  ];
  return {
    rules,
    samples: samples.all,
    ...describeRun({ loads, killed, samples, pace, yardstick, limits, begun, filesBefore, filesAfter, both }),
  };
}

async function startAndStop(load, ms) {
  load.start();
  await pause(ms);
  await load.stop();
}

/** When each has its end, or does not get one: a program whose user has left is still ending when the last answer is there. */
async function recordsOf(house) {
  const end = performance.now() + END_LIMIT_MS;
  for (;;) {
    const { text } = await house.call('GET', '/v1/processes?all=true');
    const { processes } = JSON.parse(text);
    if (!processes.some(isUnended) || performance.now() > end) return processes;
    await pause(LOOK_EVERY_MS);
  }
}
