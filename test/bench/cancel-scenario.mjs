import { setTimeout as sleep } from 'node:timers/promises';
import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { CLI_GRACE_S } from './fake-clis.mjs';
import { processesWith } from './process-usage.mjs';

const AT_ONCE = 40;
const LONGEST_MS = 300;

/** Clients that leave at random moments, from programs that end when asked and from such that do not. */
export async function measureCancels(gateway, plan, results) {
  let left = plan.cancels;
  const leaveAgain = async () => {
    while (left > 0) {
      left -= 1;
      const connection = await ChatConnection.open(gateway.port);
      const model = `sh:${left % 2 ? 'hold' : 'defy'}`;
      const answer = connection.send(chatRequest(gateway.port, { model, stream: true }), () => undefined);
      answer.catch(() => undefined);
      await sleep(Math.random() * LONGEST_MS);
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, leaveAgain));
  await sleep((CLI_GRACE_S + 1) * 1000);
  results.add('leftRunning', {
    gateway: processesWith('HOME', gateway.home).filter((pid) => pid !== gateway.pid).length,
  });
}
