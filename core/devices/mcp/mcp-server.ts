import { homedir } from 'node:os';
import type { Environment } from '../../config/environment';
import { targetOf } from '../../config/mcp/describe-server';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import type { Logger } from '../../contract/api';
import { LONGEST_TIMER_MS } from '../../contract/wall-clock';
import type { Redactor } from '../../contract/redact';
import { HttpPool } from '../../http/http-pool';
import { Proxies } from '../../http/proxies';
import { Users } from '../../providers/users';
import { pathFor } from '../../subprocess/child-environment';
import { ProgramFinder } from '../../subprocess/find-program';
import { Programs } from '../../subprocess/programs';
import { pathOfServer, type ServerActivity, type ToolSeat, type ToolServer, type ToolUser } from '../tool-server';
import { Connection, type ConnectionParts } from './connection';
import type { AnswerSampling, LiveServer } from './live-server';
import type { Reach } from './open-transport';
import type { Questions } from './questions';
import type { SamplingGrant } from './sampling';
import { serverSettingsOf } from './server-settings';

const IDLE_MS = 5 * 60_000;

export interface ServerSurroundings {
  environment: Environment;
  redactor: Redactor;
  log: Logger;
  /** The variables with keys of providers: no server sees them unless its entry names them. */
  hidden: Pick<ReadonlySet<string>, 'has' | 'size'>;
  /** Absent outside of a project. */
  root?: string;
  /** What the server may ask; absent where its entry does not allow that. */
  sampling?: SamplingGrant;
  /** Default: 5 minutes. */
  idleMs?: number;
}

/** A tool server of a mcp.json. */
export class McpServer implements ToolServer {
  readonly kind = 'mcp';
  readonly name: string;
  readonly path: string;
  readonly users = new Users();
  private readonly programs: Programs;
  private readonly http: HttpPool;
  private readonly finder = new ProgramFinder();
  private readonly connections = new Set<Connection>();
  /** For all users, where the server keeps nothing between calls or its entry says so. */
  private shared: Connection | undefined;
  private readonly known: Pick<ServerActivity, 'tools' | 'fault'> = { tools: null, fault: null };

  constructor(
    readonly entry: ServerEntry,
    private readonly surroundings: ServerSurroundings,
  ) {
    const { environment, hidden, log } = surroundings;
    this.name = entry.name;
    this.path = pathOfServer(entry.name);
    this.programs = new Programs({ environment: environment.process, hidden, log });
    // A stream may be silent for as long as it likes: each question has its own time limit.
    this.http = new HttpPool(
      { connectTimeoutMs: 10_000, bodyTimeoutMs: 0 },
      undefined,
      Proxies.in(environment.process),
    );
  }

  get target(): string {
    return targetOf(this.entry.values);
  }

  get file(): string {
    return this.entry.place.file;
  }

  get activity(): ServerActivity {
    const connections = [...this.connections];
    const running = connections.filter(({ isRunning }) => isRunning).length;
    return { running, users: connections.reduce((sum, { userCount }) => sum + userCount, 0), ...this.known };
  }

  async reach(workingDirectory: string): ReturnType<ToolServer['reach']> {
    const { environment, root: folder = workingDirectory } = this.surroundings;
    const settings = serverSettingsOf(this.entry, { ...this.surroundings, folder });
    const { timeoutMs } = this;
    if (settings.kind === 'address') {
      const { kind, url, headers, type = 'http' } = settings;
      return { reach: { kind, url: url.href, headers, type }, timeoutMs };
    }
    const { kind, args, env, cwd } = settings;
    const seen = { ...environment.process, ...env };
    const command = await this.find(settings.command, seen);
    return { reach: { kind, command, args, env: { ...env, PATH: pathFor(seen.PATH, command) }, cwd }, timeoutMs };
  }

  join(user: ToolUser): ToolSeat {
    const connection = this.shared ?? this.connect(user.workingDirectory);
    if (this.entry.values.shared) this.shared = connection;
    connection.join(user.log);
    // A reload may take the device away, and the process finishes on what it began with.
    const asked = this.surroundings.sampling?.device;
    asked?.users.enter();
    let hasLeft = false;
    return {
      tools: async (signal) => {
        const tools = await connection.tools(signal, user.log);
        // A process that joins later can then share this session. It may have been ended meanwhile.
        if ((await connection.isStateful()) === false && this.connections.has(connection)) this.shared ??= connection;
        return tools;
      },
      call: (tool, input, signal) => connection.call(tool, input, signal, user),
      leave: async () => {
        if (!hasLeft) asked?.users.leave();
        hasLeft = true;
        if (!connection.leave(user.log)) await this.end(connection);
      },
    };
  }

  async retire(): Promise<void> {
    await this.users.gone();
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => this.end(connection)));
    await Promise.all([this.programs.close(), this.http.close()]);
  }

  private find(command: string, environment: NodeJS.ProcessEnv): Promise<string> {
    const { daemon } = this.surroundings.environment;
    return this.finder.find({ names: [command], userFolders: true, environment, daemon });
  }

  private get timeoutMs(): number {
    return Math.min(this.entry.values.timeout_sec * 1000, LONGEST_TIMER_MS);
  }

  private connect(workingDirectory: string): Connection {
    const { root, idleMs = IDLE_MS } = this.surroundings;
    const { shared } = this.entry.values;
    // Users of one process may be in different folders.
    const folder = root ?? (shared ? homedir() : workingDirectory);
    const open: ConnectionParts['open'] = (log, signal, askedFor) => this.open(folder, log, signal, askedFor);
    const note: ConnectionParts['note'] = (news) => void Object.assign(this.known, news);
    const connection = new Connection({ name: this.name, timeoutMs: this.timeoutMs, idleMs, open, note });
    this.connections.add(connection);
    return connection;
  }

  private async open(folder: string, log: Logger, signal: AbortSignal, questions: Questions): Promise<LiveServer> {
    const settings = serverSettingsOf(this.entry, { ...this.surroundings, folder });
    const { LiveServer } = await import('./live-server');
    const { waysTo } = await import('./open-transport');
    const sdk = await import('./sdk-parts');
    const { programs, http } = this;
    const { process } = this.surroundings.environment;
    const find: Reach['find'] = (command, env) => this.find(command, { ...process, ...env });
    const ways = waysTo(settings, sdk, { programs, find, http });
    return LiveServer.open(sdk, ways, log, signal, await this.answering(questions));
  }

  private async answering(questions: Questions): Promise<AnswerSampling | undefined> {
    const { sampling } = this.surroundings;
    if (!sampling) return undefined;
    const { sample } = await import('./sampling');
    return async (params, gone) => {
      const { user, signals } = questions.admit();
      return sample(sampling, params, { user, signal: AbortSignal.any([gone, ...signals]) });
    };
  }

  private async end(connection: Connection): Promise<void> {
    this.connections.delete(connection);
    if (this.shared === connection) this.shared = undefined;
    await connection.close();
  }
}
