import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { ANSWER } from './answers.mjs';

const OVERHEAD = /\r\nx-drivebay-overhead-ms: *([\d.]+)/i;

/**
 * Sends `count` single-shot requests over a number of connections, each waiting for its answer before the next.
 * `overheads` are the milliseconds of own work that the answers tell. An answer that is not the whole expected text counts as failed; a lost connection ends the measurement.
 */
export async function sendRequests(port, { connections, count, door, model }) {
  const message = chatRequest(port, { door, model });
  const open = await Promise.all(Array.from({ length: connections }, () => ChatConnection.open(port)));
  const latencies = [];
  const overheads = [];
  let failed = 0;
  let left = count;
  const started = performance.now();
  try {
    await Promise.all(
      open.map(async (connection) => {
        while (left > 0) {
          left -= 1;
          const sent = performance.now();
          const { status, head, body } = await connection.send(message);
          latencies.push(performance.now() - sent);
          const own = OVERHEAD.exec(head);
          if (own) overheads.push(Number(own[1]));
          if (status !== 200 || !body.includes(ANSWER)) failed += 1;
        }
      }),
    );
  } finally {
    for (const connection of open) connection.close();
  }
  return { seconds: (performance.now() - started) / 1000, latencies, overheads, failed };
}
