import type { DriverContext, Kept } from 'drivebay/plugin';
import type { Spare, SpareKind } from './spare';
import { Trials } from './trials';

interface Entry<Of> {
  kind: SpareKind<Of>;
  server: Of;
  /** How many use it now. */
  users: number;
  /** Whether nothing new comes to it. */
  isRetired: boolean;
  kept?: Kept;
}

/** Programs that are started before they are needed: one of the latest kind of each slot, and older ones until their last chat is over. */
export class Servers<Of extends Spare> {
  private readonly entries = new Map<Of, Entry<Of>>();
  private readonly starting = new Map<string, Promise<Of>>();
  private readonly trials: Trials;
  /** The kind that is being refilled, and the latest one that was asked for meanwhile. */
  private filling: SpareKind<Of> | undefined;
  private wanted: SpareKind<Of> | undefined;

  constructor(
    private readonly context: Pick<DriverContext, 'keep' | 'log'>,
    private readonly limits: { most: number; forMs: number },
  ) {
    this.trials = new Trials(context);
  }

  /** One that is ready. One of another kind is not used any more: a login, a setting or the program has changed. */
  find({ key, slot }: SpareKind<Of>): Of | undefined {
    let found: Of | undefined;
    for (const { kind, server, isRetired } of this.entries.values()) {
      if (kind.slot !== slot) continue;
      if (kind.key !== key) this.retire(server);
      else if (!isRetired && !server.isGone) found = server;
    }
    return found;
  }

  /** One that is ready, for the caller alone: it does not come back. */
  take(kind: SpareKind<Of>): Of | undefined {
    const server = this.find(kind);
    if (!server) return undefined;
    this.hold(server);
    this.entries.delete(server);
    return server;
  }

  /** Starts one of the kind where there is none, or a worn one only. One at a time: a start takes a processor. Never rejects. */
  refill(kind: SpareKind<Of>): void {
    if (this.limits.most < 1 || !this.trials.mayStart(kind)) return;
    const found = this.find(kind);
    if (found && !found.isWorn) return;
    if (this.filling) {
      if (this.filling.key !== kind.key) this.wanted = kind;
      return;
    }
    this.filling = kind;
    void this.start(kind)
      .then(
        (server) => this.settle(server),
        () => undefined,
      )
      .finally(() => {
        const { wanted } = this;
        this.filling = this.wanted = undefined;
        if (wanted) this.refill(wanted);
      });
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
    for (const { kind: other, server: old } of this.entries.values()) if (other.slot === kind.slot) this.retire(old);
    const entry: Entry<Of> = { kind, server, users: 0, isRetired: false };
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
