import { hold } from './held-scenario.mjs';
import { measureRequests, warmUp } from './request-scenarios.mjs';
import { measureFirstChunk, measurePaced } from './stream-scenarios.mjs';

/** Requests and streams through one door, relative to chat completions through the same process. */
export async function measureDoor(door, targets, plan, results) {
  const process = await targets.startGateway();
  await process.untilHealthy();
  const { port, pid } = process;
  const ways = { direct: targets.upstream, floor: { port, pid }, gateway: { port, pid, door } };
  const own = results.of(door);
  await warmUp(ways, plan, own);
  await measureRequests(ways, plan, own);
  await measureFirstChunk(ways, plan, own);
  await measurePaced(ways, plan, own);
  await process.stop();
}

/** Held streams of one door, and of chat completions, each in a fresh process. */
export async function measureHeldDoor(door, targets, plan, results) {
  const memory = {};
  for (const [name, at] of Object.entries({ floor: 'chat', gateway: door })) {
    const target = await targets.startGateway();
    ({ kbPerStream: memory[name] } = await hold(target, name, targets.upstream, plan, results, at));
    await target.stop();
  }
  results.of(door).add('streamMemory', memory);
}
