import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { EventStream } from '../record/event-stream';
import type { LiveEvent } from '../record/live-event';
import type { Gap } from '../record/event-tail';
import { untilDrained } from '../serving/send';

/** A tunnel may hide that a connection is dead: the page finds out because the beats stop. */
const BEAT_MS = 15_000;
const BEAT = 'event: beat\ndata: {}\n\n';
const RETRY_MS = 1_000;

/**
 * Sends what happens after the event `after` as server-sent events. A reader that does not keep up costs no memory: it
 * gets an event `gap` for what it missed, and loads the state again.
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
  // An id from the future is of another daemon: what the reader missed is unknown.
  const isForeign = after !== undefined && after > stream.lastId;
  const from = after === undefined || isForeign ? stream.lastId : after;
  response.write(`retry: ${RETRY_MS}\n${isForeign ? formatEvent({ kind: 'gap', from: 0, to: from }) : '\n'}`);
  const beat = setInterval(() => response.writableLength === 0 && response.write(BEAT), BEAT_MS).unref();
  try {
    for await (const batch of stream.subscribe(gone, from)) {
      response.write(batch.map(formatEvent).join(''));
      await untilDrained(response, gone);
    }
  } finally {
    clearInterval(beat);
    // Waiting for a slow reader would delay the end of the daemon.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

/** Where a reader was. The header is of a browser that connects again, and newer than the address. */
export function lastEventId(headers: IncomingHttpHeaders, after: unknown): number | undefined {
  const text = headers['last-event-id'] ?? after;
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function formatEvent(event: LiveEvent | Gap): string {
  // JSON has no line breaks.
  if (event.kind === 'gap') return `event: gap\nid: ${event.to}\ndata: ${JSON.stringify(event)}\n\n`;
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
