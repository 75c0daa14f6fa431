import type { Logger } from '../../contract/api';
import { makeLogger } from '../../contract/make-logger';
import { messageOf } from '../../errors';
import { untilAborted } from '../../providers/call-clock';
import type { ServerActivity, ServerTool, ToolOutcome, ToolUser } from '../tool-server';
import type { LiveServer } from './live-server';
import { Questions } from './questions';
import { failedOutcome, readOutcome } from './read-outcome';
import type { ToolList } from './read-tools';

/** A server that has crashed is started again so often. */
const RESTARTS = 1;
/** Lines of progress in the record of one call. */
const MOST_PROGRESS = 100;

export interface ConnectionParts {
  name: string;
  timeoutMs: number;
  /** How long it lives without being asked anything. */
  idleMs: number;
  open: (log: Logger, signal: AbortSignal, questions: Questions) => Promise<LiveServer>;
  /** Takes what has become known of the server. */
  note: (news: Partial<Pick<ServerActivity, 'tools' | 'fault'>>) => void;
}

/** One process of a server, or one session with it: started when it is first asked, ended when it was silent for long. */
export class Connection {
  private live: Promise<LiveServer> | undefined;
  private readonly users = new Set<Logger>();
  private readonly told = new WeakMap<Logger, ToolList>();
  private readonly closing = new AbortController();
  private readonly ends = new Set<Promise<void>>();
  private idle: NodeJS.Timeout | undefined;
  private readonly questions = new Questions();
  private active = 0;
  private crashes = 0;
  private lastCrash = '';

  constructor(private readonly parts: ConnectionParts) {}

  /** Whether it is started, or starts. */
  get isRunning(): boolean {
    return this.live !== undefined;
  }

  get userCount(): number {
    return this.users.size;
  }

  join(log: Logger): void {
    this.users.add(log);
  }

  /** Whether others use it still. */
  leave(log: Logger): boolean {
    this.users.delete(log);
    return this.users.size > 0;
  }

  /** Each step asks for the list, so each user is warned only once about the tools that were left out. */
  async tools(signal: AbortSignal, log: Logger): Promise<readonly ServerTool[]> {
    return this.use(async () => {
      const live = await this.start(signal);
      const list = await untilAborted(this.list(live), signal);
      if (this.told.get(log) !== list) for (const warning of list.warnings) log.warn(warning);
      this.told.set(log, list);
      return list.tools;
    });
  }

  async call(tool: string, input: unknown, signal: AbortSignal, user: ToolUser): Promise<ToolOutcome> {
    const { log } = user;
    const done = this.questions.begin(user, signal);
    return this.use(async () => {
      let live: LiveServer | undefined;
      let lines = 0;
      const onProgress = (line: string): void => {
        lines += 1;
        if (lines <= MOST_PROGRESS) log.info(`progress of ${tool}: ${line}`);
      };
      try {
        live = await this.start(signal);
        return readOutcome(await live.call(tool, input, { signal, timeoutMs: this.parts.timeoutMs, onProgress }));
      } catch (error) {
        signal.throwIfAborted();
        const end = live?.hasEnded ? await live.ended : undefined;
        return failedOutcome(end === undefined ? messageOf(error) : this.explainCrash(end));
      } finally {
        done();
      }
    });
  }

  /** Whether each user needs one of their own; undefined while it is not known. */
  async isStateful(): Promise<boolean | undefined> {
    return (await this.live?.catch(() => undefined))?.isStateful;
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('the tool server was ended'));
    clearTimeout(this.idle);
    await this.end();
    await Promise.all(this.ends);
  }

  private async use<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    clearTimeout(this.idle);
    try {
      return await work();
    } finally {
      this.active -= 1;
      if (this.active === 0 && !this.closing.signal.aborted) {
        this.idle = setTimeout(() => void this.end(), this.parts.idleMs).unref();
      }
    }
  }

  private async list(live: LiveServer): Promise<ToolList> {
    try {
      const list = await live.tools();
      this.parts.note({ tools: list.tools.length });
      return list;
    } catch (error) {
      this.noteFault(messageOf(error));
      throw error;
    }
  }

  /** An end of ours is no fault. */
  private noteFault(fault: string): void {
    if (!this.closing.signal.aborted) this.parts.note({ fault });
  }

  private start(signal: AbortSignal): Promise<LiveServer> {
    this.closing.signal.throwIfAborted();
    if (this.crashes > RESTARTS) {
      throw new Error(`the tool server "${this.parts.name}" crashed twice and is not started again: ${this.lastCrash}`);
    }
    this.live ??= this.open();
    return untilAborted(this.live, signal);
  }

  private open(): Promise<LiveServer> {
    const opening = this.parts.open(this.tell, this.closing.signal, this.questions).then((live) => {
      this.parts.note({ fault: null });
      void live.ended.then((reason) => this.noteEnd(opening, reason, live.isForgotten));
      return live;
    });
    opening.catch((error: unknown) => {
      if (this.live === opening) this.live = undefined;
      this.noteFault(messageOf(error));
    });
    return opening;
  }

  private noteEnd(which: Promise<LiveServer>, reason: string, isForgotten: boolean): void {
    // We ended it.
    if (this.live !== which) return;
    this.live = undefined;
    if (!isForgotten) this.crashes += 1;
    this.lastCrash = reason;
    this.noteFault(`ended: ${reason}`);
    this.tell.warn(this.explainCrash(reason));
    void this.finish(which);
  }

  private explainCrash(reason: string): string {
    const next = this.crashes > RESTARTS ? 'it is not started again' : 'the next call starts it again';
    return `the tool server "${this.parts.name}" ended: ${reason}; ${next}`;
  }

  private async end(): Promise<void> {
    const { live } = this;
    this.live = undefined;
    if (live) await this.finish(live);
  }

  private finish(live: Promise<LiveServer>): Promise<void> {
    const end = live.then(
      (each) => each.close(),
      () => undefined,
    );
    this.ends.add(end);
    return end.finally(() => this.ends.delete(end));
  }

  /** Every user has it in the record of its process. */
  private readonly tell = makeLogger((level, message, fields) => {
    for (const log of this.users) log[level](message, fields);
  });
}
