import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { LiveEvent } from '../../core/record/live-event';
import type { DashboardState } from '../../core/dashboard/protocol';
import type { DaemonHome } from '../setup/daemon-home';

/** A browser's part of the dashboard: the cookie, and what the page asks for. */
export class DashboardClient {
  private constructor(
    readonly url: string,
    readonly token: string,
    readonly cookie: string,
  ) {}

  /** Opens the dashboard of a home's daemon, and signs in. */
  static async open(home: DaemonHome, cwd = home.directory): Promise<DashboardClient> {
    const { stdout, stderr } = await home.runIn(cwd, ['dashboard', '--no-open']);
    const [, url, token] = /^(http:\S+)\?token=(\S+)$/m.exec(stdout) ?? [];
    if (!url || !token) throw new Error(`no dashboard: ${stdout}${stderr}`);
    return DashboardClient.signIn(url, token);
  }

  static async signIn(url: string, token: string): Promise<DashboardClient> {
    const answer = await fetch(`${url}?token=${token}`, { redirect: 'manual' });
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    return new DashboardClient(url, token, cookie);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** `path` is what follows `/dashboard/`. */
  get(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { cookie: this.cookie, ...(init.headers as Record<string, string>) };
    return fetch(this.url + path, { redirect: 'manual', ...init, headers });
  }

  async json<T>(path: string): Promise<T> {
    const answer = await this.get(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  state(): Promise<DashboardState> {
    return this.json('api/state');
  }

  kill(pid: number, headers: Record<string, string> = { origin: new URL(this.url).origin }): Promise<Response> {
    return this.get(`api/processes/${pid}/kill`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: '{}' });
  }

  events(after?: number, headers: Record<string, string> = {}): Promise<EventReader> {
    const query = after === undefined ? '' : `?after=${after}`;
    return EventReader.open(`${this.url}api/events${query}`, { cookie: this.cookie, ...headers });
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Reads server-sent events, as far as the test wants to. */
export class EventReader {
  readonly frames: { event?: string; id?: string; data: unknown }[] = [];
  isClosed = false;
  private rest = '';
  private readonly changes = new EventEmitter();

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (text: string) => this.add(text));
    response.on('close', () => {
      this.isClosed = true;
      this.changes.emit('change');
    });
    response.on('error', () => undefined);
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const sent = request(url, { headers, agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined);
    return new EventReader(response);
  }

  get live(): LiveEvent[] {
    return this.frames.filter(({ event }) => event === undefined).map(({ data }) => data as LiveEvent);
  }

  async until(isThere: (reader: this) => boolean): Promise<void> {
    while (!isThere(this)) {
      if (this.isClosed) throw new Error(`closed after ${JSON.stringify(this.frames.slice(-3))}`);
      await once(this.changes, 'change');
    }
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await once(this.changes, 'change');
  }

  close(): void {
    this.response.destroy();
  }

  private add(text: string): void {
    const frames = (this.rest + text).split('\n\n');
    this.rest = frames.pop()!;
    for (const frame of frames) {
      const fields = Object.fromEntries(
        frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (fields.data === undefined) continue;
      const { event, id, data } = fields as { event?: string; id?: string; data: string };
      this.frames.push({ ...(event && { event }), ...(id && { id }), data: JSON.parse(data) });
    }
    this.changes.emit('change');
  }
}
