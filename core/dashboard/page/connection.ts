import type { LiveEvent } from '../../record/live-event';
import type { Gap } from '../../record/event-tail';
import type { DashboardState } from '../protocol';
import { ApiError, getJson, getLines } from './api';
import type { Store } from './store';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The daemon sends a beat every 15 s. */
const LONGEST_SILENCE_MS = 40_000;
const LISTEN_MS = 5_000;

/** Replaces the message of the daemon, which does not know that this page was let in before. */
const REFUSED = {
  message: 'This browser has no access any more, because the daemon was restarted.',
  hint: 'To open the dashboard again, run: `drivebay dashboard`',
};

/**
 * Keeps the store up to date: loads the state, then follows the events. After a lost connection it continues after the last
 * event. The daemon reports a gap when it no longer has the missed events; then the page loads the state again. A hidden
 * page disconnects, because all tabs of a browser share six connections to the daemon.
 */
export class Connection {
  /** Ends what is loaded or followed. */
  private current = new AbortController();
  private wait = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the state must be loaded before the next events. */
  private isStale = true;
  /** When the daemon last sent something; undefined while no events are followed. */
  private heardAt: number | undefined;

  constructor(private readonly store: Store) {
    store.onStale = () => {
      // It is being loaded, or will be.
      if (this.isStale) return;
      this.isStale = true;
      void this.connect();
    };
    document.addEventListener('visibilitychange', () => {
      this.drop();
      // Another tab may have restored the access of this browser.
      this.isStale ||= store.link === 'refused';
      if (!document.hidden) void this.connect();
    });
    setInterval(() => {
      if (this.heardAt !== undefined && performance.now() - this.heardAt > LONGEST_SILENCE_MS) this.lose();
    }, LISTEN_MS);
  }

  async connect(): Promise<void> {
    this.drop();
    const { signal } = (this.current = new AbortController());
    try {
      if (this.isStale) {
        this.store.load(await getJson<DashboardState>('state', signal));
        this.isStale = false;
      }
      if (!document.hidden) await this.follow(signal);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    this.heardAt = performance.now();
    const events = `events?after=${this.store.lastEventId}`;
    const batches = await getLines<LiveEvent | Gap | { kind: 'beat' }>(events, signal);
    this.wait = FIRST_WAIT_MS;
    this.store.setLink('live');
    for await (const lines of batches) {
      this.heardAt = performance.now();
      for (const line of lines) {
        // A gap begins another connection.
        if (signal.aborted) return;
        if (line.kind !== 'beat') this.store.push(line);
      }
    }
    this.lose();
  }

  private fail(error: unknown): void {
    const { message, hint, status } = error instanceof ApiError ? error : new ApiError(String(error), 0);
    if (status !== 401) return this.lose(this.store.state ? undefined : { message, hint });
    this.drop();
    this.store.setLink('refused', REFUSED);
  }

  private lose(problem?: Store['problem']): void {
    this.drop();
    this.store.setLink('lost', problem);
    this.timer = setTimeout(() => void this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.current.abort();
    this.heardAt = undefined;
  }
}
