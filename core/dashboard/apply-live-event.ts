import type { LiveEvent, ProviderEvent } from '../record/live-event';
import { isText, type ProcessEvent } from '../record/process-event';
import { applyToSummary, openSummary } from '../record/process-summary';
import { addTurn, NO_TURNS } from '../record/usage';
import { applyRequest, type ProviderTurn } from './apply-request';
import type { DashboardState, ProviderRow } from './protocol';

/** How many points a history has. */
const HISTORY = 60;
/** How many processes are kept. */
export const PROCESS_ROWS = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes the next event into the state: what the daemon does before it answers, the page does from there on. An event that
 * the state knows already changes nothing. Rows that change are replaced, so that a view can tell them by identity;
 * lists of rows are changed in place. Returns false when the state has to be loaded again, because the event says only
 * that something has changed.
 */
export function applyLiveEvent(state: DashboardState, event: LiveEvent): boolean {
  if (event.id <= state.lastEventId) return true;
  state.lastEventId = event.id;
  beginDay(state, event.time);
  switch (event.kind) {
    case 'process':
      applyProcess(state, event.uuid, event.event);
      return true;
    case 'request': {
      const turn = applyRequest(state.requests, event);
      if (turn) addToProvider(state, event.project, turn);
      return true;
    }
    case 'provider':
      replaceProvider(state, event.project, event.provider, (row) => withHealth(row, event.event, event.time));
      return true;
    case 'daemon':
      return false;
    default:
      // Of a newer daemon.
      return true;
  }
}

function applyProcess(state: DashboardState, uuid: string, event: ProcessEvent): void {
  // Pieces of text are most of all events, and change nothing here.
  if (isText(event)) return;
  const { processes } = state;
  if (event.type === 'created') {
    processes.unshift(openSummary(event));
    state.processCount += 1;
    // The oldest that has ended makes room.
    const oldest = processes.length > PROCESS_ROWS ? processes.findLastIndex(({ end }) => end) : -1;
    if (oldest >= 0) processes.splice(oldest, 1);
    return;
  }
  const index = processes.findIndex((row) => row.uuid === uuid);
  const row = processes[index];
  if (!row) return;
  processes[index] = applyToSummary(row, event);
  if (event.type !== 'step_end') return;
  const { provider = row.provider, time, ms, finish, usage, costUsd } = event;
  if (provider === undefined) return;
  addToProvider(state, row.project, { provider, time, ms, ok: finish !== 'failed', usage, costUsd });
}

function addToProvider(state: DashboardState, project: string | undefined, turn: ProviderTurn): void {
  replaceProvider(state, project, turn.provider, (row) => ({
    ...row,
    turns: [...row.turns, { time: turn.time, ms: turn.ms, ok: turn.ok }].slice(-HISTORY),
    sinceStart: addTurn(row.sinceStart, turn),
    today: addTurn(row.today, turn),
  }));
}

/** At midnight the totals of the day begin anew. */
export function beginDay(state: DashboardState, now: number): void {
  if (now < state.dayEndsAt) return;
  // An hour more or less twice a year, until the state is loaded again.
  while (now >= state.dayEndsAt) state.dayEndsAt += DAY_MS;
  for (const { providers } of state.projects) {
    providers.forEach((row, index) => (providers[index] = { ...row, today: NO_TURNS }));
  }
}

function withHealth(row: ProviderRow, event: ProviderEvent, time: number): ProviderRow {
  const { state: status, latencyMs, checked, timedOut = false, reason = null, hint = null } = event;
  const isTimed = row.kind === 'http' && status === 'healthy' && latencyMs !== undefined;
  return {
    ...row,
    ...{ status, reason, hint, timedOut, latencyMs: isTimed ? latencyMs : null },
    ...(isTimed && checked && { latency: [...row.latency, { time, ms: latencyMs }].slice(-HISTORY) }),
  };
}

function replaceProvider(
  { projects }: DashboardState,
  root: string | undefined,
  name: string,
  change: (row: ProviderRow) => ProviderRow,
): void {
  const providers = projects.find((project) => project.root === (root ?? null))?.providers ?? [];
  const index = providers.findIndex((row) => row.name === name);
  const row = providers[index];
  if (row) providers[index] = change(row);
}
