import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Gap } from '../../core/record/event-tail';
import type { LiveEvent } from '../../core/record/live-event';
import type { ProcessEvent } from '../../core/record/process-event';
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

  /** The events of a process, as they are on disk. */
  async record(pid: number): Promise<ProcessEvent[]> {
    const answer = await this.get(`api/processes/${pid}/events`);
    if (!answer.ok) throw new Error(`${pid}: ${answer.status} ${await answer.text()}`);
    return (await answer.text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ProcessEvent]));
  }

  events(after?: number): Promise<EventReader> {
    const query = after === undefined ? '' : `?after=${after}`;
    return EventReader.open(`${this.url}api/events${query}`, { cookie: this.cookie });
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Reads lines of JSON, as far as the test wants to. */
export class EventReader {
  readonly lines: (LiveEvent | Gap)[] = [];
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

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const sent = request(url, { headers, agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined);
    return new EventReader(response);
  }

  get live(): LiveEvent[] {
    return this.lines.filter((line) => line.kind !== 'gap');
  }

  async until(isThere: (reader: this) => boolean): Promise<void> {
    while (!isThere(this)) {
      if (this.isClosed) throw new Error(`closed after ${JSON.stringify(this.lines.slice(-3))}`);
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
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.lines.push(JSON.parse(line) as LiveEvent | Gap);
    this.changes.emit('change');
  }
}
