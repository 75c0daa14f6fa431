import type { LiveEvent, HealthEvent } from '../record/live-event';
import { isText, type ProcessEvent } from '../record/process-event';
import { applyToSummary, openSummary } from '../record/process-summary';
import { addTurn, type EndedTurn, NO_TURNS } from '../record/usage';
import type { DashboardState, ProviderRow, TurnPoint } from './protocol';

const HISTORY = 60;
export const PROCESS_ROWS = 500;
const ENDED_REQUESTS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes the next event into the state: in the daemon until it sends the state, and in the page from then on. An event that
 * the state includes already changes nothing. Rows that change are replaced, so that a view sees the change by identity;
 * lists of rows change in place. Returns false when the state must be loaded again: the event says only that something
 * has changed.
 */
export function applyLiveEvent(state: DashboardState, event: LiveEvent): boolean {
  if (event.id <= state.lastEventId) return true;
  state.lastEventId = event.id;
  beginDay(state, event.time);
  switch (event.kind) {
    case 'process':
      applyProcess(state, event.uuid, event.event);
      return true;
    case 'request':
      applyRequest(state, event);
      return true;
    case 'provider':
      applyProvider(state, event);
      return true;
    case 'daemon':
      return false;
    default:
      // An event of a newer daemon.
      return true;
  }
}

function applyProcess(state: DashboardState, uuid: string, event: ProcessEvent): void {
  // Speed: most events are pieces of text, and they change nothing here.
  if (isText(event)) return;
  const { processes } = state;
  if (event.type === 'created') {
    processes.unshift(openSummary(event));
    state.processCount += 1;
    // The oldest ended process makes room.
    const oldest = processes.length > PROCESS_ROWS ? processes.findLastIndex(({ end }) => end) : -1;
    if (oldest >= 0) processes.splice(oldest, 1);
    return;
  }
  const index = processes.findIndex((row) => row.uuid === uuid);
  const row = processes[index];
  if (!row) return;
  processes[index] = applyToSummary(row, event);
  if (event.type !== 'step_end') return;
  const { provider = row.provider, finish } = event;
  if (provider === undefined) return;
  const ok = finish !== 'failed';
  addTurnTo(state, row.project, provider, { ...event, ok });
  if (ok) countAnswer(state, row.project, event.route, provider);
}

function applyRequest(state: DashboardState, request: LiveEvent & { kind: 'request' }): void {
  const { request: id, project, time, event } = request;
  const rows = state.requests;
  if (event.type === 'refused') return;
  if (event.type === 'start') {
    const { provider, model = null, stream, client } = event;
    rows.unshift({ id, project: project ?? null, client, provider, model, stream, startedAt: time });
    return;
  }
  const { type: _, provider, route, booked, ...how } = event;
  const index = rows.findIndex((row) => row.id === id);
  const begun = rows[index];
  if (begun) {
    rows[index] = { ...begun, end: { time, ...how, ...(route !== undefined && { target: provider }) } };
    const isFull = rows.length > ENDED_REQUESTS && rows.filter(({ end }) => end).length > ENDED_REQUESTS;
    if (isFull)
      rows.splice(
        rows.findLastIndex(({ end }) => end),
        1,
      );
  }
  if (booked) addTurnTo(state, project, provider, { ...how, time, ok: how.status < 400 });
  if (how.status < 400 && how.error === undefined) countAnswer(state, project, route, provider);
}

/** A route counts what each of its targets has answered. */
function countAnswer(state: DashboardState, project: string | undefined, route: string | undefined, target: string) {
  if (route === undefined) return;
  replaceProvider(state, project, route, (row) => ({
    ...row,
    answers: { ...row.answers, [target]: (row.answers?.[target] ?? 0) + 1 },
  }));
}

function addTurnTo(
  state: DashboardState,
  project: string | undefined,
  provider: string,
  turn: EndedTurn & TurnPoint,
): void {
  const { time, ms, firstMs, ok } = turn;
  replaceProvider(state, project, provider, (row) => ({
    ...row,
    turns: [...row.turns, { time, ms, firstMs, ok }].slice(-HISTORY),
    sinceStart: addTurn(row.sinceStart, turn),
    today: addTurn(row.today, turn),
  }));
}

export function beginDay(state: DashboardState, now: number): void {
  if (now < state.dayEndsAt) return;
  // An hour off twice a year, until the state is loaded again.
  while (now >= state.dayEndsAt) state.dayEndsAt += DAY_MS;
  state.providers = state.providers.map((row) => ({ ...row, today: NO_TURNS }));
}

function applyProvider(state: DashboardState, { project, provider, event, time }: LiveEvent & { kind: 'provider' }) {
  replaceProvider(state, project, provider, (row) => {
    if (event.type === 'rests') return { ...row, rests: event.rests };
    return event.type === 'kept' ? { ...row, kept: event.kept } : withHealth(row, event, time);
  });
}

function withHealth(row: ProviderRow, event: HealthEvent, time: number): ProviderRow {
  const { state: status, latencyMs, checked, timedOut = false, reason = null, hint = null } = event;
  const isTimed = row.kind === 'http' && status === 'healthy' && latencyMs !== undefined;
  const latency = isTimed && checked ? [...row.latency, { time, ms: latencyMs }].slice(-HISTORY) : row.latency;
  return { ...row, status, reason, hint, timedOut, latencyMs: isTimed ? latencyMs : null, latency };
}

function replaceProvider(
  { providers }: DashboardState,
  project: string | undefined,
  name: string,
  change: (row: ProviderRow) => ProviderRow,
): void {
  const index = providers.findIndex((row) => row.name === name && row.project === (project ?? null));
  const row = providers[index];
  if (row) providers[index] = change(row);
}
