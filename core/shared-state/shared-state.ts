import type { Logger } from '../contract/api';
import { waitAtMost } from '../contract/wait-at-most';
import { allInTime } from './all-in-time';
import { AwayNotice } from './away-notice';
import type { Part, RedisConnection, SharedSum } from './redis-connection';

/** How long a request waits for the sums of the others; with `required` it waits longer, because it has to know them. */
const PATIENCE_MS = 3;
const PATIENCE_REQUIRED_MS = 1_000;
/** After so many late answers in a row no request waits any more. */
const LATE_LIMIT = 3;
/** How often the others are looked after. */
const LOOK_MS = 500;

/** Something that has to agree with the other machines from time to time. */
interface Sharer {
  meet(connection: RedisConnection): Promise<void>;
}

interface SharedStateParts {
  /** Undefined: the variable is not set. */
  url: string | undefined;
  variable: string;
  isRequired: boolean;
  /** Names the turns of the ledger without a machine. */
  ledger: string;
  /** Names this daemon, over a restart as well. */
  machine: string;
  log: Logger;
  redact: (text: string) => string;
}

/** What several machines have in common, in Redis or Valkey. It never keeps a request waiting for long: see `isPrompt`. */
export class SharedState {
  private readonly sharers = new Set<Sharer>();
  private connection: RedisConnection | undefined;
  private isUp = false;
  private lates = 0;
  private looking: Promise<void> | undefined;
  /** Why the last attempt to connect failed. */
  private failure: unknown;
  private wasConnected = false;
  private readonly notice: AwayNotice;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Settles after the first attempt to reach the server. Never rejects. */
  readonly opened: Promise<void>;

  constructor(private readonly parts: SharedStateParts) {
    this.notice = new AwayNotice(parts);
    this.opened = this.open();
  }

  get machine(): string {
    return this.parts.machine;
  }

  get isRequired(): boolean {
    return this.parts.isRequired;
  }

  /** Whether requests ask the server, and wait for its answer a moment. Else the machine counts alone. */
  get isPrompt(): boolean {
    return this.isUp;
  }

  share(sharer: Sharer): void {
    this.sharers.add(sharer);
  }

  /** Rejects where the server does not take it, as `merge` and `hold` do. */
  add(key: string, amount: number, seconds: number): Promise<SharedSum> {
    return this.orLose(this.connection!.add(key, amount, seconds));
  }

  /** Tells parts of a sum; resolves with all that the server knows. A part without a name goes under that of the ledger. */
  async merge(key: string, parts: readonly Part[], seconds: number): Promise<Part[]> {
    const { ledger } = this.parts;
    const named = parts.map(([name, amount]): Part => [name || ledger, amount]);
    const known = await this.orLose(this.connection!.merge(key, named, seconds));
    return known.map(([name, amount]) => [name === ledger ? '' : name, amount]);
  }

  /** Tells what this machine holds, for so many seconds; resolves with what the others hold. */
  hold(key: string, amount: number, seconds: number): Promise<number> {
    return this.orLose(this.connection!.hold(key, this.parts.machine, amount, seconds));
  }

  private async orLose<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.lose(error);
      throw error;
    }
  }

  /** The values, where all of them are there in time. Never rejects. */
  async inTime<Value>(answers: readonly Promise<Value>[]): Promise<Value[] | undefined> {
    const patience = this.isRequired ? PATIENCE_REQUIRED_MS : PATIENCE_MS;
    try {
      const values = await allInTime(answers, patience);
      if (values) this.lates = 0;
      else if (++this.lates >= LATE_LIMIT) this.lose(new Error(`no answer within ${patience} ms`));
      return values;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    // The counts that the others do not have yet are sent, if that goes quickly. A look that goes on may have passed some by.
    await waitAtMost(
      500,
      Promise.resolve(this.looking).then(() => this.look()),
    );
    this.isUp = false;
    this.connection?.close();
  }

  private async open(): Promise<void> {
    const { url, variable } = this.parts;
    if (url === undefined) {
      this.notice.tell(`the variable ${variable} is not set`);
      return;
    }
    if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
      this.notice.tell(`the variable ${variable} holds no address that begins with redis:// or rediss://`);
      return;
    }
    try {
      // Speed: the libraries are large, and most configurations do not share anything.
      const { RedisConnection } = await import('./redis-connection');
      if (this.isClosed) return;
      this.connection = new RedisConnection(url, (error) => this.disconnect(error));
      this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
      await this.connection.connected;
      await this.look();
    } catch (error) {
      this.lose(error);
    }
  }

  /** Meets the others. A server that answers quickly again is asked by requests again. */
  private look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    if (!connection.isReady) {
      this.isUp = false;
      // The first attempt may be still on its way, on a busy machine for seconds.
      if (this.failure !== undefined && !this.isClosed) this.notice.lost(this.failure);
      return;
    }
    this.wasConnected = true;
    try {
      const askedAt = performance.now();
      await connection.probe();
      const isQuick = performance.now() - askedAt < PATIENCE_MS * 2;
      for (const sharer of this.sharers) await sharer.meet(connection);
      if (isQuick || this.isRequired) this.regain();
      else if (!this.isUp) this.lose(new Error(`no answer within ${PATIENCE_MS} ms`));
    } catch (error) {
      this.lose(error);
    }
  }

  private regain(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.lates = 0;
    this.notice.regained();
  }

  private lose(error: unknown): void {
    this.isUp = false;
    // A command that waits for a lost connection does not know the reason. The next look reports it.
    const isConnected = this.connection?.isReady ?? true;
    if (isConnected && !this.isClosed) this.notice.lost(error);
  }

  private disconnect(error: unknown): void {
    this.isUp = false;
    // Only the next attempt knows why a working connection has ended.
    this.failure = this.wasConnected ? undefined : error;
    this.wasConnected = false;
  }
}
