import { setImmediate as nextRound } from 'node:timers/promises';
import { NO_TURNS } from '../record/usage';
import { applyLiveEvent, beginDay, PROCESS_ROWS } from './apply-live-event';
import type { DashboardHost, HostProject } from './dashboard-host';
import { dayRangeOf, readTotals } from './ledger-totals';
import type { DashboardState, ProjectRow } from './protocol';

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

  constructor(private readonly host: DashboardHost) {
    this.state = {
      daemon: host.daemon,
      listeners: [],
      projects: [],
      requests: [],
      processes: [],
      processCount: 0,
      dayEndsAt: dayRangeOf(Date.now()).end,
      lastEventId: 0,
    };
  }

  /** As of now. The next event changes the object: use it at once. */
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
    }
  }

  private load(): Promise<void> {
    this.loading ??= this.loadAgain().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Requests and histories stay: they exist nowhere else. The first load takes them from the stream. */
  private async loadAgain(): Promise<void> {
    const { state, host } = this;
    state.projects = withFacts(await host.projects(), state.projects);
    const processes = await host.processes();
    // A turn is booked and its end is published in one round of the event loop: between two, ledger and stream agree.
    await nextRound();
    this.takeEvents();
    this.isStale = false;
    const day = dayRangeOf(Date.now());
    const totals = await readTotals(host, day.start);
    // Nothing below waits, so all of it is as of one moment.
    for (const { root, providers } of state.projects) {
      providers.forEach((row, index) => (providers[index] = { ...row, ...totals(root, row.name) }));
    }
    state.dayEndsAt = day.end;
    this.takeEvents();
    const all = processes.list();
    state.processes = all.toSorted((a, b) => b.pid - a.pid).filter(({ end }, index) => index < PROCESS_ROWS || !end);
    state.processCount = all.length;
  }
}

/** The projects as they are now, with the totals and histories of their providers from before. */
function withFacts(projects: HostProject[], known: ProjectRow[]): ProjectRow[] {
  const nothing = { latency: [], turns: [], sinceStart: NO_TURNS, today: NO_TURNS };
  return projects.map(({ root, providers }) => {
    const before = new Map(known.find((project) => project.root === root)?.providers.map((row) => [row.name, row]));
    const rows = providers.map((provider) => {
      const facts = provider.facts();
      return { ...nothing, ...before.get(facts.name), ...facts };
    });
    return { root, providers: rows };
  });
}
