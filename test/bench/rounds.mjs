import { measureClient } from './client-scenario.mjs';
import { measureDaemon } from './daemon-scenario.mjs';
import { measureDoor, measureHeldDoor } from './door-scenario.mjs';
import { OTHER_DOORS } from './doors.mjs';
import { measureHeld } from './held-scenario.mjs';
import { measurePeer } from './peer-scenario.mjs';
import { PEER_START_LIMIT_MS, PEERS } from './peers.mjs';
import { killAll } from './processes.mjs';
import { measureLatency, measureOverhead, measureRequests, warmUp } from './request-scenarios.mjs';
import { measureRoute } from './route-scenario.mjs';
import { SDK_DRIVERS } from './sdk-drivers.mjs';
import { measureDriver } from './sdk-scenario.mjs';
import { measureSpawn } from './spawn-scenario.mjs';
import { measureTools } from './tools-scenario.mjs';
import { measureIdle, measureStart } from './start-scenarios.mjs';
import { measureFirstChunk, measurePaced } from './stream-scenarios.mjs';
import { WARM_CLIS } from './warm-clis.mjs';
import { measureWarm } from './warm-scenario.mjs';

/** Scenarios that share one pair of warmed-up processes per round. */
const WARM = {
  requests: measureRequests,
  latency: measureLatency,
  overhead: measureOverhead,
  'first-chunk': measureFirstChunk,
  paced: measurePaced,
};

/** Scenarios that start processes of their own. */
const FRESH = {
  held: measureHeld,
  start: measureStart,
  idle: measureIdle,
  spawn: measureSpawn,
  daemon: measureDaemon,
  route: measureRoute,
  client: measureClient,
  tools: measureTools,
  ...Object.fromEntries(Object.keys(SDK_DRIVERS).map((driver) => [driver, measureDriver.bind(undefined, driver)])),
  ...Object.fromEntries(OTHER_DOORS.map((door) => [door, measureDoor.bind(undefined, door)])),
  ...Object.fromEntries(OTHER_DOORS.map((door) => [`${door}-held`, measureHeldDoor.bind(undefined, door)])),
  ...Object.fromEntries(Object.keys(WARM_CLIS).map((cli) => [cli, measureWarm.bind(undefined, cli)])),
  ...Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, measurePeer.bind(undefined, peer)])),
};

async function within(limitMs, work) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all rounds. A scenario that fails once is left out from then on, so that the whole run is bounded in time. */
export async function runRounds({ targets, plan, scenarios, results, noise, say }) {
  const asked = (group) => Object.keys(group).filter((name) => scenarios.includes(name) && !results.notMeasured[name]);

  const attempt = async (name, work, label = name) => {
    noise.sample();
    say(label);
    try {
      // Programs of others may take longer to start than everything else of ours takes.
      return await within(plan.limitMs + (name in PEERS || name in WARM_CLIS ? 2 * PEER_START_LIMIT_MS : 0), work());
    } catch (error) {
      results.giveUp(name, error);
      // Everything that the scenario still waits for ends with its processes.
      killAll({ except: targets.upstream });
      return undefined;
    }
  };

  const runWarm = async () => {
    const [first] = asked(WARM);
    if (!first) return;
    const start = async () => {
      const pair = await targets.startPair();
      await warmUp(pair, plan, results);
      return pair;
    };
    const pair = await attempt(first, start, 'warm-up');
    for (const name of pair ? asked(WARM) : []) {
      await attempt(name, () => WARM[name](pair, plan, results));
      if (results.notMeasured[name]) return;
    }
    await Promise.all([pair?.floor.stop(), pair?.gateway.stop()]);
  };

  for (let round = 1; round <= plan.rounds; round += 1) {
    say(`round ${round} of ${plan.rounds}:`);
    await runWarm();
    for (const name of asked(FRESH)) await attempt(name, () => FRESH[name](targets, plan, results));
  }
}
