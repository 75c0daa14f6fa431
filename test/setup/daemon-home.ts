import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { readPidFile } from '../../core/daemon/socket/pid-file';
import { localProcesses } from '../../core/subprocess/local-processes';
import type { CliResult } from './run-cli';
import { TempHome } from './temp-home';
import { until } from './until';

const homes: DaemonHome[] = [];

afterAll(async () => {
  await Promise.all(homes.map((home) => home.end()));
});

/** A home with a daemon of its own, which ends with the tests of the file. */
export class DaemonHome extends TempHome {
  readonly state = `${this.directory}/.local/state/drivebay`;
  readonly socket = `${this.state}/daemon.sock`;

  constructor(private readonly variables: Record<string, string> = {}) {
    super();
    homes.push(this);
  }

  async end(): Promise<void> {
    const { pid } = readPidFile(this.socket) ?? {};
    if (pid === undefined) return;
    process.kill(pid, 'SIGTERM');
    await until(() => !isAlive(pid));
  }

  override runIn(cwd: string, words: string[], more: Record<string, string> = {}): Promise<CliResult> {
    return super.runIn(cwd, words, { ...this.variables, ...more });
  }

  /** Starts the daemon, if none runs, and resolves with its pid. */
  async start(more: Record<string, string> = {}): Promise<number> {
    const { stdout, stderr } = await this.runIn(this.directory, ['daemon', 'start'], more);
    const pid = /\(pid (\d+)\)/.exec(stdout)?.[1];
    if (pid === undefined) throw new Error(`no daemon: ${stdout}${stderr}`);
    return Number(pid);
  }

  /** One call of the control API, as any program may make it. */
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const response = await this.open(method, path, body);
    let text = '';
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) text += piece;
    return { status: response.statusCode ?? 0, text };
  }

  /** The same, with the answer still to be read. */
  async open(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const sent = request({ socketPath: this.socket, method, path, agent: false });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // Node ends a body with an empty write. That of a long one may come when the answer is there and the connection closed.
    sent.on('error', () => undefined);
    return response;
  }
}

/** A process that has ended counts as gone, though its parent may not have taken note of it. */
export function isAlive(pid: number): boolean {
  return localProcesses().table!.find(pid) !== undefined;
}
