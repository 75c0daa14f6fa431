import { setTimeout as sleep } from 'node:timers/promises';
import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { AFTER_RUN_MS, CLI_CONCURRENCY, FAKE_CLIS, runDirectly } from './fake-clis.mjs';
import { percentile } from './results.mjs';

/** As many runs at once as one provider may have. How long they take, and how long /health does meanwhile. */
export async function measureCrowds(targets, gateway, plan, results) {
  const floor = await targets.startFloor();
  await floor.untilHealthy();
  for (const cli of Object.keys(FAKE_CLIS)) {
    const health = { floor: [], gateway: [] };
    for (let time = 0; time < plan.crowds; time += 1) {
      const base = await timed(() =>
        Promise.all(Array.from({ length: CLI_CONCURRENCY }, () => runDirectly(cli, 'answer'))),
      );
      const stop = [watch(floor, health.floor), watch(gateway, health.gateway)];
      const own = await timed(() => askCrowd(gateway, cli, results));
      await Promise.all(stop.map((end) => end()));
      results.add(`${cli}.crowdTime`, { base, gateway: own });
      // The next begins when what these left has been looked for.
      await sleep(AFTER_RUN_MS);
    }
    const p99 = (name) => percentile(health[name], 99);
    results.add(`${cli}.crowdHealth`, { floor: p99('floor'), gateway: p99('gateway') });
  }
  await floor.stop();
}

/** How long something takes, in milliseconds. */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function askCrowd(gateway, cli, results) {
  const message = chatRequest(gateway.port, { model: `${cli}:answer` });
  const one = async () => {
    const connection = await ChatConnection.open(gateway.port);
    try {
      const { status, body } = await connection.send(message);
      if (status !== 200 || !body.includes('"content":"#0 ')) results.countFailed('gateway', 1);
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: CLI_CONCURRENCY }, one));
}

/** Asks for /health again and again; returns what ends that. */
function watch(target, times) {
  let isOver = false;
  const asking = (async () => {
    const connection = await ChatConnection.open(target.port);
    while (!isOver) {
      times.push(await timed(() => connection.send(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\n\r\n`)));
      await sleep(2);
    }
    connection.close();
  })();
  // The caller that waits for the end learns of it.
  asking.catch(() => undefined);
  return () => {
    isOver = true;
    return asking;
  };
}
