import type { Exchange } from '../record/exchange';
import type { FlightRecorder } from '../record/flight-recorder';
import type { Arrival } from './arrival';

/** Where its client is named. Of all headers the recorder keeps this one alone: the others may hold keys. */
const AGENT_LENGTH = 200;

export function openExchange(
  recorder: FlightRecorder,
  kind: string,
  dialect: string,
  { id, path, client, request, startedMs }: Arrival,
  arrivedAt: number,
): Exchange {
  const agent = request.headers['user-agent']?.slice(0, AGENT_LENGTH);
  return recorder.begin({ id, kind, dialect, path, client: client?.name, agent, arrivedAt, startedMs });
}
