import type { HttpError } from '../serving/http-error';
import { sendJson } from '../serving/send';
import { noteOverhead } from './answer-headers';
import type { Arrival } from './arrival';
import { CLIENT_GONE } from './call-record';
import type { Dialect, DialectCall } from './dialect';
import { refuseOversized } from './refuse-raw';

/** Tells the client of a call that has failed, as far as it can still be told. Returns the status, for the record. */
export function answerFailure(
  { id, request, response, headers, own }: Arrival,
  dialect: Dialect,
  failure: HttpError,
  call: DialectCall | undefined,
  upstreamStatus = false,
): number {
  if (response.destroyed || response.writableEnded) return CLIENT_GONE;
  noteOverhead(headers, own);
  const spelled = (upstreamStatus && dialect.spellUpstream?.(failure)) || dialect.spellError(failure, id);
  if (response.headersSent || call?.takesFailure?.(failure)) call?.fail(failure);
  else if (failure.code === 'request_too_large') refuseOversized(request, response, spelled, headers);
  else sendJson(response, spelled.status, spelled.body, { ...headers, ...spelled.headers });
  return spelled.status;
}
