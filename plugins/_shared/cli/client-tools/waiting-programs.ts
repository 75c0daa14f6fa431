import type { DriverContext, Message, ToolResultPart } from 'drivebay/plugin';
import { type Holder, KeptHolders } from '../warm/kept-holders';

/** Some programs give a call 10 minutes. */
const LIMITS = { most: 8, forMs: 9 * 60_000 };

/** What a program waits for. A program is what `stop` ends: a process, or a thread or session of one. */
export interface Waiting<Of extends Holder> {
  holder: Of;
  /** The program's own id of each call, by the id that the client has: `newCallId`. */
  calls: ReadonlyMap<string, string>;
}

/** What a client sends for a program that waits. */
export interface Answered<Of extends Holder> extends Waiting<Of> {
  results: ToolResultPart[];
}

/** Which conversation it is: equal for the very same one only. */
interface Conversation {
  /** `call.scope`: who asks. Without one nothing goes on. */
  scope: string | undefined;
  /** Of everything before the results. Its setting holds the scope, and whatever the program cannot change while it waits: the model, the tools, its process. */
  mark: string | undefined;
}

/**
 * The programs that wait until their clients have run tools.
 *
 * A driver that has passed on the calls of an answer, with `finish: tool_calls`, calls `keep` with `marks.after(answer)`.
 * For the next request it calls `checkResults`, then `take` with `marks.before`. It gets the program that waits for these
 * very results in this very conversation, once; or nothing: then it tells the conversation to a program anew.
 */
export class WaitingPrograms<Of extends Holder> {
  /** By the ids of the calls. */
  private readonly kept: KeptHolders<Of, { calls: Waiting<Of>['calls']; of: Conversation }>;

  constructor(context: Pick<DriverContext, 'keep'>, limits = LIMITS) {
    this.kept = new KeptHolders(context, { state: 'waiting', ...limits });
  }

  keep({ holder, calls }: Waiting<Of>, of: Conversation): void {
    if (of.scope === undefined || holder.isGone) return void holder.stop();
    this.kept.keep([...calls.keys()], holder, { calls, of });
  }

  /**
   * The program that goes on with these messages, for the caller alone. `fits`: whether it takes results of this size. One
   * whose conversation went another way is stopped; that of another client stays.
   */
  take(
    tail: readonly Message[],
    of: Conversation,
    fits: (results: readonly ToolResultPart[]) => boolean = () => true,
  ): Answered<Of> | undefined {
    const results = tail.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
    const known = results.find(({ callId }) => this.kept.about(callId))?.callId ?? '';
    const about = this.kept.about(known);
    if (!about || about.of.scope !== of.scope) return undefined;
    const { calls } = about;
    const holder = this.kept.take(known);
    if (!holder) return undefined;
    const areAlone = tail.every(({ role }) => role === 'tool');
    const areThese = results.length === calls.size && results.every(({ callId }) => calls.has(callId));
    if (areAlone && areThese && about.of.mark === of.mark && fits(results)) return { holder, calls, results };
    void holder.stop();
    return undefined;
  }

  /** For a program that has ended. Whether it waited until then. */
  forget(holder: Of): boolean {
    return this.kept.forget(holder);
  }
}
