import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventStream } from '../record/event-stream';
import type { LiveEvent } from '../record/live-event';
import type { Gap } from '../record/event-tail';

/** A page finds out that a connection is dead, which a tunnel may not tell it, by its silence. */
const BEAT_MS = 15_000;
const BEAT = 'event: beat\ndata: {}\n\n';
/** How soon a browser connects again. */
const RETRY_MS = 1_000;

/**
 * Sends what happens as server-sent events, from the event after `after` on. A reader that does not keep up costs no
 * memory: what it missed is told to it as an event `gap`, and it loads the state again.
 */
export async function sendEvents(
  response: ServerResponse,
  { stream, after, gone }: { stream: EventStream; after: number | undefined; gone: AbortSignal },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // An id from the future is another daemon's: nobody knows what was missed.
  const isForeign = after !== undefined && after > stream.lastId;
  const from = after === undefined || isForeign ? stream.lastId : after;
  response.write(`retry: ${RETRY_MS}\n${isForeign ? formatEvent({ kind: 'gap', from: 0, to: from }) : '\n'}`);
  const beat = setInterval(() => response.writableLength === 0 && response.write(BEAT), BEAT_MS).unref();
  try {
    for await (const batch of stream.subscribe({ after: from, signal: gone })) {
      if (!response.write(batch.map(formatEvent).join(''))) await untilRead(response, gone);
    }
  } finally {
    clearInterval(beat);
    // What a reader has not taken would hold up the end of the daemon.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

/** Where a reader was: what the browser says when it connects again counts more than the address it began with. */
export function lastEventId({ headers }: IncomingMessage, query: URLSearchParams): number | undefined {
  const text = headers['last-event-id'] ?? query.get('after');
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function formatEvent(event: LiveEvent | Gap): string {
  // JSON has no line breaks.
  if (event.kind === 'gap') return `event: gap\nid: ${event.to}\ndata: ${JSON.stringify(event)}\n\n`;
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function untilRead(response: ServerResponse, gone: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: gone });
  } catch {
    // Nobody reads any more.
  }
}
