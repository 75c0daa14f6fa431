import type { Call, DriverContext, ToolResultPart } from 'drivebay/plugin';
import type { Said } from '../cli-run';
import type { Marks } from './fingerprint';
import { type Holder, KeptHolders } from './kept-holders';

/** Some programs give a call 10 minutes. */
const WAITING = { state: 'waiting', most: 8, forMs: 9 * 60_000 } as const;

/** A program and what it waits for. A program is what `stop` ends: a process, or a thread or session of one. */
interface Waiting<Of extends Holder> {
  holder: Of;
  /** The program's own id of each call, by the id that the client has: `newCallId`. */
  calls: ReadonlyMap<string, string>;
}

/** What is known of a program at the end of a chat. */
export interface ChatEnd<Of extends Holder> extends Waiting<Of> {
  said: Said;
}

/** What a client sends for a program that waits. */
export interface Answered<Of extends Holder> extends Waiting<Of> {
  results: ToolResultPart[];
}

/**
 * The programs that may go on: with the next turn of a conversation, or with the results of a client's tools. The setting of
 * the marks holds who asks, and whatever the program cannot change meanwhile: the model, the tools, its process.
 */
export class NextTurns<Of extends Holder> {
  /** By the mark that their next request has. */
  readonly conversations: KeptHolders<Of>;
  /** By the ids of the calls. */
  private readonly waiting: KeptHolders<Of, { calls: Waiting<Of>['calls']; scope: string; mark: string }>;

  /** `limits` of the conversations: how many, and for how long. */
  constructor(context: Pick<DriverContext, 'keep'>, limits: { most: number; forMs: number }) {
    this.conversations = new KeptHolders(context, { state: 'conversation', ...limits });
    this.waiting = new KeptHolders(context, WAITING);
  }

  /** Keeps the program of a chat that is over, or ends it. `isGood`: whether the program may go on. True: it holds the conversation. */
  settle({ holder, said, calls }: ChatEnd<Of>, { scope, signal }: Call, marks: Marks, isGood: boolean): boolean {
    const { outcome } = said;
    const finish = outcome?.type === 'answer' && !signal.aborted ? outcome.finish : undefined;
    // Without a scope nothing tells the client from others.
    if (finish !== undefined && scope !== undefined && !holder.isGone) {
      const mark = marks.after(said);
      if (finish === 'tool_calls') {
        this.waiting.keep([...calls.keys()], holder, { calls, scope, mark });
        return false;
      }
      if (finish === 'stop' && isGood) {
        this.conversations.keep([mark], holder);
        return true;
      }
    }
    void holder.stop();
    return false;
  }

  /**
   * The program that waits for these very results in this very conversation, for the caller alone. `fits`: whether it takes
   * results of this size. One whose conversation went another way is stopped; that of another client stays.
   */
  takeWaiting(
    { before, tail }: Marks,
    scope: string | undefined,
    fits: (results: readonly ToolResultPart[]) => boolean,
  ): Answered<Of> | undefined {
    const results = tail.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
    const known = results.find(({ callId }) => this.waiting.about(callId))?.callId ?? '';
    const about = this.waiting.about(known);
    if (!about || about.scope !== scope) return undefined;
    const { calls } = about;
    const holder = this.waiting.take(known);
    if (!holder) return undefined;
    const areAlone = tail.every(({ role }) => role === 'tool');
    const areThese = results.length === calls.size && results.every(({ callId }) => calls.has(callId));
    if (areAlone && areThese && about.mark === before && fits(results)) return { holder, calls, results };
    void holder.stop();
    return undefined;
  }

  /** For a program that has ended. Whether it was kept until then. */
  forget(holder: Of): boolean {
    const held = this.conversations.forget(holder);
    return this.waiting.forget(holder) || held;
  }
}
