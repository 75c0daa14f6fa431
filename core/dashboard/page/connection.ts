import type { LiveEvent } from '../../record/live-event';
import type { Gap } from '../../record/event-tail';
import type { DashboardState } from '../protocol';
import { ApiError, checkAccess, getJson } from './api';
import type { Store } from './store';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The daemon sends a beat every 15 s. */
const LONGEST_SILENCE_MS = 40_000;
const LISTEN_MS = 5_000;

/** Replaces the message of the daemon, because the answer to a HEAD request has no body. */
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
  private source: EventSource | undefined;
  private wait = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private connecting = false;
  /** Whether the state must be loaded before the next events. */
  private isStale = true;
  private heardAt = 0;

  constructor(private readonly store: Store) {
    store.onStale = () => {
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
      if (this.source && performance.now() - this.heardAt > LONGEST_SILENCE_MS) this.lose();
    }, LISTEN_MS);
  }

  async connect(): Promise<void> {
    if (this.connecting) return;
    this.connecting = true;
    this.drop();
    try {
      // An EventSource does not report why it fails, so this asks for the access first.
      if (!this.isStale) await checkAccess();
      else this.store.load(await getJson<DashboardState>('state'));
      this.isStale = false;
      this.follow();
    } catch (error) {
      this.fail(error);
    } finally {
      this.connecting = false;
    }
  }

  private follow(): void {
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
    // An EventSource that is refused once never connects again by itself, so this class does.
    source.onerror = () => this.lose();
  }

  private lose(): void {
    this.drop();
    this.store.setLink('lost');
    this.again();
  }

  private fail(error: unknown): void {
    const { message, hint, status } = error instanceof ApiError ? error : new ApiError(String(error), 0);
    if (status === 401) return this.store.setLink('refused', REFUSED);
    this.store.setLink('lost', this.store.state ? undefined : { message, hint });
    this.again();
  }

  private again(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }
}
