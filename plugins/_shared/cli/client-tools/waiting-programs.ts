import type { DriverContext, Kept, Message, ToolResultPart } from 'drivebay/plugin';
import type { Holder } from '../warm/conversations';

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
  private readonly byCall = new Map<string, Waiting<Of> & { of: Conversation; kept: Kept }>();

  constructor(
    private readonly context: Pick<DriverContext, 'keep'>,
    private readonly limits = LIMITS,
  ) {}

  keep(waiting: Waiting<Of>, of: Conversation): void {
    const { holder } = waiting;
    if (of.scope === undefined || holder.isGone) return void holder.stop();
    const entry = { ...waiting, of, kept: NOTHING };
    for (const id of waiting.calls.keys()) this.byCall.set(id, entry);
    const end = (): void => {
      this.remove(entry);
      void holder.stop();
    };
    entry.kept = this.context.keep({ state: 'waiting', ...this.limits, pid: holder.pid, end });
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
    const entry = results.map(({ callId }) => this.byCall.get(callId)).find((found) => found !== undefined);
    if (!entry || entry.of.scope !== of.scope) return undefined;
    const { holder, calls, kept } = entry;
    this.remove(entry);
    if (!kept.take()) return undefined;
    const areAlone = tail.every(({ role }) => role === 'tool');
    const areThese = results.length === calls.size && results.every(({ callId }) => calls.has(callId));
    if (areAlone && areThese && entry.of.mark === of.mark && !holder.isGone && fits(results)) {
      return { holder, calls, results };
    }
    void holder.stop();
    return undefined;
  }

  /** For a program that has ended. Whether it waited until then. */
  forget(holder: Of): boolean {
    const entry = [...this.byCall.values()].find((found) => found.holder === holder);
    if (!entry) return false;
    this.remove(entry);
    return entry.kept.take();
  }

  private remove({ calls }: Waiting<Of>): void {
    for (const id of calls.keys()) this.byCall.delete(id);
  }
}

const NOTHING: Kept = { take: () => false };
