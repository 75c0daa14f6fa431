import { setTimeout as sleep } from 'node:timers/promises';
import { get } from './chat-connection.mjs';
import { residentKb } from './process-usage.mjs';
import { holdStream } from './read-streams.mjs';
import { median } from './results.mjs';

/** Opens streams a few at a time: thousands in one moment would measure the listen queue. */
async function openStreams(port, count, door) {
  const streams = [];
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      streams.push(await holdStream(port, door));
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  return streams;
}

/** Memory moves with every collection, so that one reading says little. */
async function settledKb(pid) {
  const readings = [];
  for (let reading = 0; reading < 9; reading += 1) {
    readings.push(residentKb(pid));
    await sleep(100);
  }
  return median(readings);
}

/** Holds streams of one door, and says what each costs, and how many calls of the upstream are open after all have left. */
export async function hold(target, name, upstream, plan, results, door) {
  await target.untilHealthy();
  const before = await settledKb(target.pid);
  const streams = await openStreams(target.port, plan.heldStreams, door);
  await sleep(plan.holdMs);
  const after = await settledKb(target.pid);
  results.countFailed(name, streams.filter((stream) => !stream.isAlive()).length);
  for (const stream of streams) stream.leave();
  await sleep(1500);
  const { open } = JSON.parse((await get(upstream.port, '/open')).body);
  return { kbPerStream: (after - before) / plan.heldStreams, open };
}

/** A fresh process holds many slow streams; then all clients leave at once, and the upstream calls must end too. */
export async function measureHeld(targets, plan, results) {
  const memory = {};
  const open = {};
  for (const [name, start] of [
    ['floor', () => targets.startFloor()],
    ['gateway', () => targets.startGateway()],
  ]) {
    const target = await start();
    ({ kbPerStream: memory[name], open: open[name] } = await hold(target, name, targets.upstream, plan, results));
    await target.stop();
  }
  results.add('streamMemory', memory);
  results.add('leftOpen', open);
}
