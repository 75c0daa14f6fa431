import { setTimeout as sleep } from 'node:timers/promises';
import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { childrenOf, cpuMicroseconds, ownCpuMicroseconds } from './process-usage.mjs';
import { median } from './results.mjs';
import { houseOf, WARM_CLIS } from './warm-clis.mjs';

/** How long a kept program may take until it is ready. */
const READY_LIMIT_MS = 30_000;
/** A program that has just started still works. */
const SETTLE_MS = 5000;
const IDLE_MS = 5000;
const MODEL = 'stream-3-0';

/** The first words of a real program that is kept, beside those of one that is started; and what a kept one costs. */
export async function measureWarm(name, targets, plan, results) {
  const own = results.of(name);
  const gateway = await targets.startGateway(houseOf(WARM_CLIS[name]));
  await gateway.untilHealthy();
  const floor = await targets.startFloor();
  await floor.untilHealthy();
  const connection = await ChatConnection.open(gateway.port);
  const bare = await ChatConnection.open(floor.port);
  try {
    for (let chat = 0; chat < plan.warmUpChats; chat += 1) {
      await ask(connection, gateway.port, 'warm');
      await ask(bare, floor.port);
    }
    await untilWarm(connection, gateway.port);
    const times = { warm: [], cold: [] };
    const cpu = { floor: 0, gateway: 0 };
    for (let chat = 0; chat < plan.warmChats; chat += 1) {
      times.cold.push((await ask(connection, gateway.port, 'cold')).firstText);
      await untilWarm(connection, gateway.port);
      cpu.gateway += await cpuOf(gateway, async () => {
        times.warm.push((await ask(connection, gateway.port, 'warm')).firstText);
      });
      cpu.floor += await cpuOf(floor, () => ask(bare, floor.port));
    }
    own.add('firstText', { base: median(times.cold), gateway: median(times.warm) });
    const perChat = (sum) => sum / plan.warmChats / 1000;
    own.add('chatCpu', { floor: perChat(cpu.floor), gateway: perChat(cpu.gateway) });
    await untilWarm(connection, gateway.port);
    own.add('idleCpu', { gateway: await idlePercent(gateway) });
  } finally {
    connection.close();
    bare.close();
  }
  await Promise.all([gateway.stop(), floor.stop()]);
}

async function cpuOf({ pid }, work) {
  const before = ownCpuMicroseconds(pid);
  await work();
  return ownCpuMicroseconds(pid) - before;
}

/** One chat, without a provider for the bare proxy: the time of its first text, in milliseconds, and how it came about. */
async function ask(connection, port, provider) {
  const started = performance.now();
  let firstText;
  let body = '';
  const { head, status } = await connection.send(
    chatRequest(port, { model: provider === undefined ? MODEL : `${provider}:${MODEL}`, stream: true }),
    (text) => {
      body += text;
      if (firstText === undefined && body.includes('"content":"#0 ')) firstText = performance.now() - started;
    },
  );
  if (status !== 200 || firstText === undefined)
    throw new Error(`${provider ?? 'floor'} gave ${status} and no text: ${body}`);
  return { firstText, warm: /^x-drivebay-warm: (\w+)/im.exec(head)?.[1] };
}

/** Asks until a kept program answers; the next one is ready when its start no longer uses the processors. */
async function untilWarm(connection, port) {
  const limit = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit) {
    const { warm } = await ask(connection, port, 'warm');
    await sleep(2000);
    if (warm === 'hit') return;
  }
  throw new Error(`no kept program answered within ${READY_LIMIT_MS / 1000} s`);
}

/** What a kept program uses of one processor while nothing is asked. Some keep one for the next chat and one for each conversation. */
async function idlePercent({ pid }) {
  const used = () => cpuMicroseconds(pid) - ownCpuMicroseconds(pid);
  await sleep(SETTLE_MS);
  const before = used();
  await sleep(IDLE_MS);
  return (used() - before) / childrenOf(pid).length / IDLE_MS / 10;
}
