import type { LiveEvent } from '../record/live-event';
import type { EndedTurn } from '../record/usage';
import type { RequestRow } from './protocol';

/** A turn of a provider, with its place in the provider's history. */
export interface ProviderTurn extends EndedTurn {
  provider: string;
  time: number;
  ms: number;
}

/** How many ended requests are kept. */
const ENDED = 100;

/** Takes an event of a request into the list, the newest first. Returns the turn that ended with the event. */
export function applyRequest(
  rows: RequestRow[],
  { request: id, project, time, event }: LiveEvent & { kind: 'request' },
): ProviderTurn | undefined {
  if (event.type === 'start') {
    const { provider, model = null, stream } = event;
    rows.unshift({ id, project: project ?? null, provider, model, stream, startedAt: time });
    return undefined;
  }
  const { type: _, provider, ...how } = event;
  const index = rows.findIndex((row) => row.id === id);
  const begun = rows[index];
  if (begun) {
    rows[index] = { ...begun, end: { time, ...how } };
    forgetOldest(rows);
  }
  return { provider, time, ms: how.ms, ok: how.status < 400, usage: how.usage, costUsd: how.costUsd };
}

function forgetOldest(rows: RequestRow[]): void {
  if (rows.length <= ENDED || rows.filter(({ end }) => end).length <= ENDED) return;
  const oldest = rows.findLastIndex(({ end }) => end);
  rows.splice(oldest, 1);
}
