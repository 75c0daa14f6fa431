import type { LiveEvent } from '../../record/live-event';
import type { Gap } from '../../record/event-tail';
import { applyLiveEvent } from '../apply-live-event';
import type { DashboardState } from '../protocol';
import { daemonNow, setDaemonClock } from './daemon-clock';

export type LinkState = 'live' | 'lost' | 'refused';

/** The longest work between two paints of the browser. */
const BUDGET_MS = 8;
const EVENTS_PER_LOOK = 100;
/** The time between two updates. A shorter time looks the same and costs more. */
const BETWEEN_MS = 50;
/** The time between two updates of a hidden page. */
const HIDDEN_MS = 500;

/**
 * The data of the page: the loaded state and the events since then. Applies events twenty times a second, as many as fit
 * into a frame of the browser.
 */
export class Store {
  version = 0;
  state: DashboardState | undefined;
  link: LinkState = 'live';
  linkSince = daemonNow();
  /** The reason why the page is empty. */
  problem?: { message: string; hint?: string };
  /** The latest received event, applied or not. */
  lastEventId = 0;
  onStale: () => void = () => undefined;
  private queue: LiveEvent[] = [];
  private taken = 0;
  private planned = false;
  private lastLook = 0;
  private readonly watchers = new Set<() => void>();
  private readonly followers = new Set<(event: LiveEvent) => void>();

  load(state: DashboardState): void {
    setDaemonClock(state.clock);
    this.state = state;
    this.problem = undefined;
    this.lastEventId = state.lastEventId;
    this.plan();
  }

  push(event: LiveEvent | Gap): void {
    if (event.kind === 'gap') return this.onStale();
    this.lastEventId = event.id;
    this.queue.push(event);
    this.plan();
  }

  setLink(link: LinkState, problem?: Store['problem']): void {
    if (link === this.link && problem === this.problem) return;
    if (link !== this.link) this.linkSince = daemonNow();
    this.link = link;
    this.problem = problem;
    this.plan();
  }

  /** Calls back after each update, at most twenty times a second. */
  watch(callback: () => void): () => void {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }

  /** Calls back with each event when it is applied. */
  follow(callback: (event: LiveEvent) => void): () => void {
    this.followers.add(callback);
    return () => this.followers.delete(callback);
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    // A hidden page gets no animation frames, but its queue must not grow.
    if (document.hidden) return void setTimeout(this.takeIn, HIDDEN_MS);
    const wait = this.lastLook + BETWEEN_MS - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame(this.takeIn), wait);
    else requestAnimationFrame(this.takeIn);
  }

  private readonly takeIn = (): void => {
    this.planned = false;
    this.lastLook = performance.now();
    const end = performance.now() + BUDGET_MS;
    do this.takeSome(EVENTS_PER_LOOK);
    while (this.taken < this.queue.length && (document.hidden || performance.now() < end));
    if (this.taken < this.queue.length) this.plan();
    else {
      this.queue = [];
      this.taken = 0;
    }
    this.version += 1;
    for (const notify of this.watchers) notify();
  };

  private takeSome(count: number): void {
    const end = Math.min(this.taken + count, this.queue.length);
    while (this.taken < end) {
      const event = this.queue[this.taken++]!;
      if (this.state && !applyLiveEvent(this.state, event)) this.onStale();
      for (const follow of this.followers) follow(event);
    }
  }
}
