import type { JsonLine, Subprocess } from 'drivebay/plugin';
import type { Holder } from '../_shared/cli/warm/kept-holders';
import type { Answered } from '../_shared/cli/warm/next-turns';
import type { Servers } from '../_shared/cli/warm/servers';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { fieldsOf, spelled, textOf, type Fields } from '../_shared/fields';
import { type AppServer, Refusal, type ThreadEars } from './app-server';
import { resultItems, type Turns } from './history';

const MOST_ERROR_LINES = 100;

type Use = Pick<Servers<AppServer>, 'hold' | 'release'>;
/** The settings that the program gets when a thread begins. */
type ThreadSettings = Fields & { model?: string };

/** What holds for one turn. */
interface Wishes {
  effort: string | undefined;
  /** What the answer must keep to. */
  outputSchema: Fields | undefined;
}

/** One conversation in a program that has many. */
export class Thread implements Holder, ThreadEars {
  /** The counts of the turns so far, as the program adds them up. */
  total: Fields = {};
  /** Called when the program has ended. */
  onEnd: () => void = () => undefined;
  private turn: TurnLines | undefined;
  private turnId: string | undefined;
  /** The request that begins a turn, until it is answered. */
  private beginning: Promise<unknown> | undefined;
  private errorLines: string[] = [];
  /** The requests of the program that wait for the results of tools, by the ids of the calls. */
  private readonly waiting = new Map<string, { id: unknown; line: JsonLine }>();
  private isStopped = false;
  private isHeld = false;
  private outputSchema = formOf(undefined);

  private constructor(
    readonly server: AppServer,
    private readonly id: string,
    private readonly use: Use,
  ) {
    server.listen(id, this);
  }

  static async start(server: AppServer, settings: ThreadSettings, use: Use): Promise<Thread> {
    const { thread } = await server.request('thread/start', settings);
    const id = textOf(fieldsOf(thread).id);
    if (id === undefined) throw new Error('it began a thread without an id');
    return new Thread(server, id, use);
  }

  get pid(): number {
    return this.server.pid;
  }

  get isGone(): boolean {
    return this.isStopped || this.server.isGone;
  }

  /** Keeps the program from ending while the thread is at work. */
  hold(): void {
    if (!this.isHeld) this.use.hold(this.server);
    this.isHeld = true;
  }

  rest(): void {
    if (this.isHeld) this.use.release(this.server);
    this.isHeld = false;
  }

  /** Tells of earlier messages, and asks. The lines of the answer go to the turn. */
  async ask(turn: TurnLines, { items, input }: Turns, wishes: Wishes): Promise<void> {
    this.outputSchema = formOf(wishes.outputSchema);
    if (items.length > 0) await this.server.request('thread/inject_items', { threadId: this.id, items });
    this.attend(turn);
    const beginning = this.server.request('turn/start', { threadId: this.id, input, ...wishes });
    this.beginning = beginning.then(
      ({ turn: begun }) => (this.turnId ??= textOf(fieldsOf(begun).id)),
      () => undefined,
    );
    await beginning;
  }

  /** Whether the answers of its turn keep to this schema, or to none: it holds from the beginning of a turn to its end. */
  keepsTo(schema: Fields | undefined): boolean {
    return this.outputSchema === formOf(schema);
  }

  /** The lines that come from now on go to the turn, behind the calls that came between two turns. */
  private attend(turn: TurnLines): void {
    this.turn = turn;
    this.errorLines = [];
    for (const { line } of this.waiting.values()) turn.push(line);
  }

  take(line: JsonLine, message: Fields): void {
    if (message.method === 'turn/completed') {
      this.turnId = this.beginning = undefined;
      this.waiting.clear();
    }
    const isCall = message.method === 'item/tool/call';
    if (isCall) this.waiting.set(spelled(fieldsOf(message.params).callId), { id: message.id, line });
    if (message.id !== undefined && !isCall) this.server.refuse(message.id);
    else this.turn?.push(line);
  }

  /** Gives the model the results that it waits for. Throws where it does not wait any more: nothing would follow. */
  answer(turn: TurnLines, { calls, results }: Answered<Thread>): void {
    const isWaiting = [...calls.values()].every((callId) => this.waiting.has(callId));
    if (!isWaiting) throw new Refusal('it does not wait for the results any more');
    for (const result of results) {
      const callId = calls.get(result.callId)!;
      this.server.reply(this.waiting.get(callId)?.id, { contentItems: resultItems(result), success: true });
      this.waiting.delete(callId);
    }
    this.attend(turn);
  }

  takeErrorLine(line: string): void {
    if (this.errorLines.push(line) > MOST_ERROR_LINES) this.errorLines.shift();
  }

  leave(failure: Error | undefined): void {
    this.turn?.end(failure);
    this.rest();
    this.onEnd();
  }

  /** No turn reads the lines from now on. */
  endTurn(): void {
    this.turn = undefined;
  }

  /** Ends the thread and what it does. The program stays. Never rejects. */
  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    this.turn = undefined;
    this.server.unlisten(this.id);
    try {
      await this.beginning;
      if (this.turnId !== undefined) await this.demand('turn/interrupt', { turnId: this.turnId });
      await this.demand('thread/unsubscribe');
    } catch {
      // There is no other way to stop the work of the thread.
      await this.server.stop();
    } finally {
      this.rest();
    }
  }

  /** It is refused where there is nothing to end any more. */
  private async demand(method: string, params: Fields = {}): Promise<void> {
    try {
      await this.server.request(method, { threadId: this.id, ...params });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** What is known of the end of the program, with the words that it said during this turn. */
  get end(): Pick<Subprocess, 'error' | 'exited' | 'stderr'> {
    const { program } = this.server;
    const said = (): string => this.errorLines.join('\n');
    return {
      error: () => program.error(),
      exited: program.exited,
      get stderr() {
        return said();
      },
    };
  }
}

function formOf(schema: Fields | undefined): string {
  return JSON.stringify(schema ?? null);
}
