import { setImmediate as nextRound } from 'node:timers/promises';
import { periodAt, startOf } from '../limits/periods';
import { NO_TURNS } from '../record/usage';
import { applyLiveEvent, beginDay, PROCESS_ROWS } from './apply-live-event';
import type { DashboardHost, HostProvider } from './dashboard-host';
import type { DeviceFacts } from './device-facts';
import { readTotals } from './ledger-totals';
import type { DashboardState } from './protocol';

/** How often events are taken in while no page asks: the stream keeps a limited number. */
const CATCH_UP_MS = 1_000;

/**
 * The state of the overview: records, ledger and facts as of one moment, and the fold of all events since. It is loaded
 * when a page first asks for it.
 */
export class LiveState {
  private readonly state: DashboardState;
  /** Whether something changed that events do not tell. */
  private isStale = true;
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: DashboardHost,
    private readonly facts: DeviceFacts,
  ) {
    this.state = {
      daemon: host.daemon,
      listeners: [],
      providers: [],
      requests: [],
      processes: [],
      processCount: 0,
      dayEndsAt: periodAt('day', Date.now()).end,
      clock: clock(),
      lastEventId: 0,
    };
  }

  /** As of now. The next event changes the object: use it at once. */
  async now(): Promise<DashboardState> {
    this.timer ??= setInterval(() => this.catchUp(), CATCH_UP_MS).unref();
    this.catchUp();
    while (this.isStale) await this.load();
    const { state, host } = this;
    const providers = await host.providers();
    this.catchUp();
    this.describe(providers);
    state.listeners = host.listeners();
    beginDay(state, Date.now());
    state.clock = clock();
    return state;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Takes in what has happened, unless `load` does so. */
  private catchUp(): void {
    if (!this.isStale && !this.loading) this.takeEvents();
  }

  private takeEvents(): void {
    const { state, host } = this;
    for (const event of host.stream.read(state.lastEventId)) {
      if (event.kind === 'gap') this.isStale = true;
      else if (!applyLiveEvent(state, event) && event.kind === 'daemon')
        this.isStale ||= event.event.what === 'projects';
      // The rest may be about providers that the state does not have before the next load.
      if (this.isStale && !this.loading) return;
    }
  }

  private load(): Promise<void> {
    this.loading ??= this.loadAgain().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Requests and histories stay: they exist nowhere else. The first load takes them from the stream. */
  private async loadAgain(): Promise<void> {
    const { state, host } = this;
    this.describe(await host.providers());
    const processes = await host.processes();
    // A turn is booked and its end is published in one round of the event loop: between two, ledger and stream agree.
    await nextRound();
    this.takeEvents();
    this.isStale = false;
    const now = Date.now();
    const totals = await readTotals(host, startOf('day', now));
    // Nothing below waits, so all of it is as of one moment.
    state.providers = state.providers.map((row) => ({ ...row, ...totals(row.project, row.name) }));
    state.dayEndsAt = periodAt('day', now).end;
    this.takeEvents();
    const all = processes();
    state.processes = all.toSorted((a, b) => b.pid - a.pid).filter(({ end }, index) => index < PROCESS_ROWS || !end);
    state.processCount = all.length;
  }

  /** The providers as they are now, with their totals and histories from before. */
  private describe(providers: HostProvider[]): void {
    const { state, facts } = this;
    const nothing = { latency: [], turns: [], sinceStart: NO_TURNS, today: NO_TURNS };
    state.providers = providers.map(({ device, project, files }) => {
      const before = state.providers.find((row) => row.name === device.name && row.project === project);
      return { ...nothing, ...before, project, files, ...facts.describe(device) };
    });
  }
}

function clock(): DashboardState['clock'] {
  return { now: Date.now(), utcOffsetMs: -new Date().getTimezoneOffset() * 60_000 };
}
