import { setImmediate as nextRound } from 'node:timers/promises';
import { applyLiveEvent, beginDay } from './apply-live-event';
import type { DashboardHost } from './dashboard-host';
import { dayRangeOf, readTotals, type TotalsOf } from './ledger-totals';
import { newestRows } from './newest-rows';
import type { DashboardState } from './protocol';
import { withFacts } from './provider-rows';

/** How often events are taken in while nobody asks: the stream keeps a limited number. */
const CATCH_UP_MS = 1_000;

/**
 * What the overview shows: records, ledger and facts as of one moment, and the fold of all events since. Nothing happens
 * before somebody asks for the first time.
 */
export class LiveState {
  private readonly state: DashboardState;
  /** Whether something is missing that events do not tell. */
  private isStale = true;
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly host: DashboardHost) {
    this.state = {
      ...{ daemon: host.daemon, listeners: [], projects: [], requests: [], processes: [], processCount: 0 },
      dayEndsAt: dayRangeOf(Date.now()).end,
      lastEventId: 0,
    };
  }

  /** As of now; to be used at once, for it changes. */
  async now(): Promise<DashboardState> {
    this.timer ??= setInterval(() => this.catchUp(), CATCH_UP_MS).unref();
    this.catchUp();
    while (this.isStale) await this.load();
    const { state, host } = this;
    const projects = await host.projects();
    this.catchUp();
    state.projects = withFacts(projects, state.projects);
    state.listeners = host.listeners();
    beginDay(state, Date.now());
    return state;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Takes in what has happened, unless `load` has to do it, or does it. */
  private catchUp(): void {
    if (!this.isStale && !this.loading) this.takeEvents();
  }

  private takeEvents(): void {
    const { state, host } = this;
    for (const event of host.stream.read(state.lastEventId)) {
      if (event.kind === 'gap') this.isStale = true;
      else if (!applyLiveEvent(state, event) && event.kind === 'daemon')
        this.isStale ||= event.event.what === 'projects';
    }
  }

  private load(): Promise<void> {
    this.loading ??= this.loadAnew().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** The requests and the points of the histories, which are nowhere else, stay, and come from the stream at first. */
  private async loadAnew(): Promise<void> {
    const { state, host } = this;
    state.projects = withFacts(await host.projects(), state.projects);
    // A turn is booked and its end is told in one round of the event loop: between two, ledger and stream agree.
    await nextRound();
    this.takeEvents();
    this.isStale = false;
    const day = dayRangeOf(Date.now());
    const totals = await readTotals(host, day.start);
    let since: number;
    let listed: Awaited<ReturnType<DashboardHost['processes']>>;
    do {
      since = host.stream.lastId;
      listed = await host.processes();
    } while (this.hasMissed(since));
    // From here on nothing is waited for: what follows is as of one moment.
    this.setTotals(totals);
    state.dayEndsAt = day.end;
    this.takeEvents();
    state.processes = newestRows(listed, host.unwritten());
    state.processCount = new Set([...listed, ...host.unwritten()].map(({ pid }) => pid)).size;
  }

  /** Whether a process ended, and went to the index on disk, while that was being read. */
  private hasMissed(since: number): boolean {
    const { stream } = this.host;
    const living = new Set(this.host.unwritten().map(({ uuid }) => uuid));
    return stream.read(since).some((event) => event.kind === 'process' && !living.has(event.uuid));
  }

  private setTotals(totalsOf: TotalsOf): void {
    for (const { root, providers } of this.state.projects) {
      providers.forEach((row, index) => (providers[index] = { ...row, ...totalsOf(root, row.name) }));
    }
  }
}
