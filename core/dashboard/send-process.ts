import type { ServerResponse } from 'node:http';
import { foldEvent, type ProcessView } from '../record/process-view';
import { HttpError } from '../serving/http-error';
import { untilDrained } from '../serving/send';
import type { HostRecord } from './dashboard-host';

/** How many characters are written at once. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Sends the events of a process and, behind them, their fold. So no record is held in memory, however long it is, and
 * the view is that of the last event sent.
 */
export async function sendProcess(
  response: ServerResponse,
  pid: number,
  record: HostRecord,
  gone: AbortSignal,
): Promise<void> {
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
  // The beginning of the record is lost, and without it the rest cannot be read.
  if (!view) throw new HttpError(404, 'no_process', `there is no process ${pid}`, { hint: 'see: drivebay ps -a' });
  if (!view.end && record.end) Object.assign(view, { state: record.end.state, end: record.end });
  await write(response, piece, gone);
  response.end(`],"view":${JSON.stringify(view)}}`);
}

async function write(response: ServerResponse, piece: string, gone: AbortSignal): Promise<void> {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.write('{"events":[');
  }
  if (piece !== '') response.write(piece);
  await untilDrained(response, gone);
}
