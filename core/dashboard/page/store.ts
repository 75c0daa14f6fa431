import type { LiveEvent } from '../../record/live-event';
import type { Gap } from '../../record/event-tail';
import { applyLiveEvent } from '../apply-live-event';
import type { DashboardState } from '../protocol';

export type LinkState = 'live' | 'lost' | 'refused';

/** Longer than this the page does not work before it lets the browser paint. */
const BUDGET_MS = 8;
const EVENTS_PER_LOOK = 100;
/** Between two looks at the latest: the eye sees no difference, and the page has a third of the work. */
const BETWEEN_MS = 50;
/** How often a page that nobody sees takes what has come. */
const HIDDEN_MS = 500;

/**
 * What the page shows: the state as it was loaded, and what happened since then. Events are taken in twenty times a
 * second, as many as fit into a frame of the browser, however many there are.
 */
export class Store {
  /** Another one whenever there is something new to show. */
  version = 0;
  state: DashboardState | undefined;
  link: LinkState = 'live';
  /** Since when it is as it is. */
  linkSince = Date.now();
  /** Why there is nothing to show. */
  problem: { message: string; hint?: string | undefined } | undefined;
  /** The latest event that has come, whether or not it is taken in yet. */
  lastEventId = 0;
  /** Called when an event tells that the state has to be loaded again. */
  onStale: () => void = () => undefined;
  private queue: LiveEvent[] = [];
  private taken = 0;
  private planned = false;
  private lastLook = 0;
  private readonly watchers = new Set<() => void>();
  private readonly followers = new Set<(event: LiveEvent) => void>();

  /** A state is newer than everything before it. */
  load(state: DashboardState): void {
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
    if (link !== this.link) this.linkSince = Date.now();
    this.link = link;
    this.problem = problem;
    this.plan();
  }

  /** Calls back when there is something new to show, at most twenty times a second. */
  watch(callback: () => void): () => void {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }

  /** Every event, when it is taken in. */
  follow(callback: (event: LiveEvent) => void): () => void {
    this.followers.add(callback);
    return () => this.followers.delete(callback);
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    // A hidden page gets no frames, and its queue must not grow.
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
