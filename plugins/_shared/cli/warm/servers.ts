import type { DriverContext, Kept } from 'drivebay/plugin';
import type { Spare, SpareKind } from './spares';
import { Trials } from './trials';

/** A program that serves many chats at once. */
export interface Server extends Spare {
  /** Whether it has served so many that another one should take its place. */
  readonly isWorn: boolean;
}

interface Entry<Of> {
  key: string;
  server: Of;
  /** How many use it now. */
  users: number;
  /** Whether nothing new comes to it. */
  isRetired: boolean;
  kept?: Kept;
}

/** Programs that stay for many chats: one of the latest kind, and older ones until their last chat is over. */
export class Servers<Of extends Server> {
  private readonly entries = new Map<Of, Entry<Of>>();
  private readonly starting = new Map<string, Promise<Of>>();

  constructor(
    private readonly context: Pick<DriverContext, 'keep' | 'log'>,
    private readonly limits: { most: number; forMs: number },
    private readonly trials = new Trials(context),
  ) {}

  /** Whether no program is there, and none on its way. */
  get isEmpty(): boolean {
    return this.entries.size === 0 && this.starting.size === 0;
  }

  /** One that is ready. One of another kind is not used any more: a login, a setting or the program has changed. */
  find({ key }: SpareKind<Of>): Of | undefined {
    let found: Of | undefined;
    for (const { key: other, server, isRetired } of this.entries.values()) {
      if (other !== key) this.retire(server);
      else if (!isRetired && !server.isGone) found = server;
    }
    return found;
  }

  /** Starts one of the kind where there is none, or a worn one only. Never rejects. */
  refill(kind: SpareKind<Of>): void {
    if (this.limits.most < 1 || !this.trials.mayStart(kind) || this.find(kind)?.isWorn === false) return;
    this.start(kind).then(
      (server) => this.settle(server),
      () => undefined,
    );
  }

  /** One that is ready and held, started where there is none. Rejects when it does not become ready. */
  async obtain(kind: SpareKind<Of>): Promise<Of> {
    const server = this.find(kind) ?? (await this.start(kind));
    this.hold(server);
    return server;
  }

  private start(kind: SpareKind<Of>): Promise<Of> {
    let starting = this.starting.get(kind.key);
    if (!starting) {
      starting = this.startOne(kind).finally(() => this.starting.delete(kind.key));
      this.starting.set(kind.key, starting);
    }
    return starting;
  }

  /** Keeps it from ending until `release`. */
  hold(server: Of): void {
    const entry = this.entries.get(server);
    if (!entry) return;
    entry.users += 1;
    entry.kept?.take();
  }

  release(server: Of): void {
    const entry = this.entries.get(server);
    if (entry) entry.users -= 1;
    this.settle(server);
  }

  /** Nothing new comes to it, and it ends with its last user. */
  retire(server: Of): void {
    const entry = this.entries.get(server);
    if (entry) entry.isRetired = true;
    this.settle(server);
  }

  /** For one that has taken a chat. */
  worked(kind: SpareKind<Of>): void {
    this.trials.succeeded(kind);
  }

  /** For one that did not take a chat. */
  fail(server: Of, kind: SpareKind<Of>, error: unknown): void {
    this.trials.failed(kind, error);
    this.retire(server);
  }

  /** Nothing is started from now on. Core ends the programs. */
  close(): void {
    this.trials.close();
  }

  private async startOne(kind: SpareKind<Of>): Promise<Of> {
    const server = await this.trials.start(kind);
    for (const other of this.entries.keys()) this.retire(other);
    const entry: Entry<Of> = { key: kind.key, server, users: 0, isRetired: false };
    this.entries.set(server, entry);
    void server.gone.then(() => {
      if (!this.entries.delete(server)) return;
      entry.kept?.take();
      if (entry.users === 0) void server.warnOfEnd(this.context);
    });
    return server;
  }

  /** Without a user it is kept for a while. */
  private settle(server: Of): void {
    const entry = this.entries.get(server);
    entry?.kept?.take();
    if (!entry || entry.users > 0) return;
    const end = (): void => {
      this.entries.delete(server);
      void server.stop();
    };
    if (entry.isRetired) end();
    else entry.kept = this.context.keep({ state: 'spare', ...this.limits, pid: server.pid, end });
  }
}
