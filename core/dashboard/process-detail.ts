import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { foldEvent, type ProcessView } from '../record/process-view';
import { noProcess } from './dashboard-error';
import type { DashboardHost } from './dashboard-host';

/** So much is written at once. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Sends the events of a process and, behind them, what they add up to: nothing is held in memory, however long the
 * record is, and the view is that of the last event sent.
 */
export async function sendProcess(
  response: ServerResponse,
  pid: number,
  host: DashboardHost,
  gone: AbortSignal,
): Promise<void> {
  const record = await host.record(pid);
  if (!record) throw noProcess(pid);
  let view: ProcessView | undefined;
  let piece = '';
  for await (const event of record.events) {
    view = foldEvent(view, event);
    if (!view) continue;
    piece += `${piece === '' && !response.headersSent ? '' : ','}${JSON.stringify(event)}`;
    if (piece.length < PIECE_LENGTH) continue;
    await write(response, piece, gone);
    piece = '';
    if (gone.aborted) return;
  }
  // A record whose beginning is lost says nothing.
  if (!view) throw noProcess(pid);
  if (!view.end && record.end) Object.assign(view, { state: record.end.state, end: record.end });
  await write(response, piece, gone);
  response.end(`],"view":${JSON.stringify(view)}}`);
}

async function write(response: ServerResponse, piece: string, gone: AbortSignal): Promise<void> {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.write('{"events":[');
  }
  if (piece === '' || response.write(piece)) return;
  // Nobody may read any more.
  await once(response, 'drain', { signal: gone }).catch(() => undefined);
}
