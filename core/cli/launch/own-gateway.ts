import { waitAtMost } from '../../contract/wait-at-most';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { ListenLine, ListenRequest, ProjectRef } from '../../daemon/control/protocol';
import { HintedError } from '../../errors';
import { digestOf, makeKey } from '../../config/client-keys';
import { localProcesses } from '../../subprocess/local-processes';
import { formatIdentity } from '../../subprocess/run-marker';
import { bringKeys } from '../daemon/project-at-daemon';
import { startDaemonHere } from '../daemon/running-daemon';
import { untilNext } from '../serve/serve-on-daemon';

/** The daemon closes the gateway also when this command no longer waits for it. */
const CLOSE_LIMIT_MS = 2_000;
const MOST_WARNINGS = 5;

/** The gateway that a launched program asks. A gateway that the user keeps open has no `endWith` and no `close`. */
export type UsedGateway = Pick<OwnGateway, 'url' | 'key' | 'checked' | 'takeWarnings'> & Partial<OwnGateway>;

/**
 * A gateway on a free port, with a key that only this command knows. It is a listener of the daemon, which closes it when
 * this command ends, however that happens. After a restart of the daemon it is open again on the same port.
 */
export class OwnGateway {
  readonly key = makeKey();
  private readonly warnings = new Set<string>();
  /** Resolves when the providers have been checked: what is wrong with them is among the warnings. */
  readonly checked: Promise<unknown>;
  private tellChecked!: () => void;
  /** Set where the daemon ended, and the gateway with it. */
  isLost = false;
  private port = 0;
  private isClosing = false;
  private launched: { program: string; launcher: string } | undefined;
  private held: Promise<void> = Promise.resolve();

  private constructor(
    private daemon: FoundDaemon,
    private readonly project: ProjectRef,
    /** The providers that the program is going to ask. */
    private readonly checks: string[],
  ) {
    this.checked = new Promise<void>((resolve) => (this.tellChecked = resolve));
  }

  static async open(daemon: FoundDaemon, project: ProjectRef, checks: string[]): Promise<OwnGateway> {
    const gateway = new OwnGateway(daemon, project, checks);
    await gateway.listen();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Tells the daemon which program to end if this command is killed. */
  async endWith(pid: number): Promise<void> {
    const { table, identity } = localProcesses();
    const start = table?.find(pid);
    if (start === undefined) return;
    const program = formatIdentity({ namespace: identity.namespace, pid, start });
    this.launched = { program, launcher: formatIdentity(identity) };
    await this.tellProgram();
  }

  /** What its log had to warn of since the last call. */
  takeWarnings(): string[] {
    const taken = [...this.warnings];
    this.warnings.clear();
    return taken;
  }

  /** Resolves when it is closed, or after a moment. */
  async close(): Promise<void> {
    this.isClosing = true;
    const closed = this.daemon.client.call('DELETE', `/v1/listeners/${this.port}`);
    await waitAtMost(CLOSE_LIMIT_MS, Promise.allSettled([closed, this.held]));
  }

  /** Resolves when it is open. */
  private async listen(): Promise<void> {
    const { port, project, key, checks } = this;
    const apiKeyHash = digestOf(key).toString('hex');
    const access = { allowHosts: [], allowOrigins: [], apiKeyHash };
    // A program at a terminal should show a failure at once. Many repeat every 502.
    const manners = { upstreamStatus: true, logLevel: 'warn', logFormat: 'text' } as const;
    const body: ListenRequest = { project, port, checks, ...access, ...manners };
    const lines = this.daemon.client.stream<ListenLine>('POST', '/v1/listeners', { body });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new HintedError('the daemon opened no gateway', 'see its log: drivebay daemon logs');
      if (!('listening' in value)) continue;
      this.port = value.listening.port;
      this.held = this.hold(lines);
      return;
    }
  }

  private async hold(lines: AsyncGenerator<ListenLine, void>): Promise<void> {
    const isNextDue = await this.follow(lines).catch(() => 'crashed' as const);
    if (this.isClosing) return;
    try {
      if (isNextDue === 'stopped') throw new Error('the user stopped it');
      const next = isNextDue === 'restarting' ? await untilNext(() => this.isClosing) : await startDaemonHere();
      if (!next) throw new Error('there is none');
      this.daemon = next;
      await bringKeys(next, this.project);
      await this.listen();
      await this.tellProgram();
    } catch {
      // The program has the terminal, so this is reported when it has ended.
      this.isLost = !this.isClosing;
    }
  }

  /** Follows the lines to their end. */
  private async follow(lines: AsyncGenerator<ListenLine, void>): Promise<'restarting' | 'stopped' | 'crashed'> {
    for await (const line of lines) {
      if ('log' in line) this.keep(line.log);
      if ('checked' in line) this.tellChecked();
      if ('closed' in line) return line.restarting ? 'restarting' : 'stopped';
    }
    return 'crashed';
  }

  /** Keeps the first ones, without their times. */
  private keep(log: string): void {
    for (const line of log.split('\n')) {
      const text = line.replace(/^[\d:]+ +/, '');
      if (text !== '' && this.warnings.size < MOST_WARNINGS) this.warnings.add(text);
    }
  }

  private async tellProgram(): Promise<void> {
    if (!this.launched) return;
    const path = `/v1/listeners/${this.port}/program`;
    await this.daemon.client.call('POST', path, { body: this.launched });
  }
}
