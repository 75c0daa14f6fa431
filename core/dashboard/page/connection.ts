import type { LiveEvent } from '../../record/live-event';
import type { Gap } from '../../record/event-tail';
import type { DashboardState } from '../protocol';
import { ApiError, checkAccess, getJson } from './api';
import type { Store } from './store';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The daemon says something every 15 s. */
const LONGEST_SILENCE_MS = 40_000;
const LISTEN_MS = 5_000;

/** A HEAD has no body that says so. */
const REFUSED = {
  message: 'This browser is not let in any more: the daemon is a new one.',
  hint: 'To open the dashboard again, run: `drivebay dashboard`',
};

/**
 * Keeps a store in step with the daemon: loads the state, and follows the events from there. After a lost connection it
 * goes on behind the last event it has, so nothing is missed; where the daemon no longer has what was missed, it says so,
 * and the state is loaded again. A page in the background rests: a browser has six connections to the daemon for all its
 * tabs together.
 */
export class Connection {
  private source: EventSource | undefined;
  private wait = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loading = false;
  private heardAt = 0;

  constructor(private readonly store: Store) {
    store.onStale = () => void this.load();
    document.addEventListener('visibilitychange', () => {
      this.drop();
      // One that was refused may have been let in again, by another tab.
      if (!document.hidden) void (store.state && store.link !== 'refused' ? this.resume() : this.load());
    });
    setInterval(() => {
      if (this.source && performance.now() - this.heardAt > LONGEST_SILENCE_MS) this.lose();
    }, LISTEN_MS);
  }

  /** Loads the state, then follows. Also what a lost connection begins again with when following did not work. */
  readonly load = async (): Promise<void> => {
    if (this.loading) return;
    this.loading = true;
    this.drop();
    try {
      this.store.load(await getJson<DashboardState>('state'));
      this.follow();
    } catch (error) {
      this.fail(error);
    } finally {
      this.loading = false;
    }
  };

  private follow(): void {
    this.drop();
    if (document.hidden) return;
    const source = new EventSource(`api/events?after=${this.store.lastEventId}`);
    this.source = source;
    const hear = () => (this.heardAt = performance.now());
    hear();
    source.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.store.setLink('live');
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      hear();
      this.store.push(JSON.parse(data) as LiveEvent);
    };
    source.addEventListener('beat', hear);
    source.addEventListener('gap', ({ data }: MessageEvent<string>) => this.store.push(JSON.parse(data) as Gap));
    // A browser's own way to connect again ends for good at the first refusal: the wait, and the question why, are ours.
    source.onerror = () => this.lose();
  }

  private lose(): void {
    this.drop();
    this.store.setLink('lost');
    this.again(() => this.resume());
  }

  /** Asks first whether the daemon is there and lets this page in: an event source does not tell why it fails. */
  private async resume(): Promise<void> {
    try {
      await checkAccess();
      this.follow();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const { message, hint, status } = error instanceof ApiError ? error : new ApiError(String(error), 0);
    if (status === 401) return this.store.setLink('refused', REFUSED);
    this.store.setLink('lost', this.store.state ? undefined : { message, hint });
    this.again(() => (this.store.state ? this.resume() : this.load()));
  }

  private again(attempt: () => Promise<void>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void attempt(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }
}
