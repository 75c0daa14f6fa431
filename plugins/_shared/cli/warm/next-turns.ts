import type { Call, DriverContext } from 'drivebay/plugin';
import { type Waiting, WaitingPrograms } from '../client-tools/waiting-programs';
import type { Said } from '../cli-run';
import type { Marks } from './fingerprint';
import { type Holder, KeptHolders } from './kept-holders';

/** What is known of a program at the end of a chat. */
export interface ChatEnd<Of extends Holder> extends Waiting<Of> {
  said: Said;
}

/** The programs that may go on: with the next turn of a conversation, or with the results of a client's tools. */
export class NextTurns<Of extends Holder> {
  /** By the mark that their next request has. */
  readonly conversations: KeptHolders<Of>;
  readonly waiting: WaitingPrograms<Of>;

  /** `limits` of the conversations: how many, and for how long. */
  constructor(context: Pick<DriverContext, 'keep'>, limits: { most: number; forMs: number }) {
    this.conversations = new KeptHolders(context, { state: 'conversation', ...limits });
    this.waiting = new WaitingPrograms(context);
  }

  /** Keeps the program of a chat that is over, or ends it. `isGood`: whether the program may go on. True: it holds the conversation. */
  settle({ holder, said, calls }: ChatEnd<Of>, { scope, signal }: Call, marks: Marks, isGood: boolean): boolean {
    const { outcome } = said;
    const finish = outcome?.type === 'answer' && !signal.aborted ? outcome.finish : undefined;
    if (finish === 'tool_calls') {
      this.waiting.keep({ holder, calls }, { scope, mark: marks.after(said) });
      return false;
    }
    if (finish === 'stop' && isGood && scope !== undefined && !holder.isGone) {
      this.conversations.keep([marks.after(said)], holder);
      return true;
    }
    void holder.stop();
    return false;
  }

  /** For a program that has ended. Whether it was kept until then. */
  forget(holder: Of): boolean {
    const held = this.conversations.forget(holder);
    return this.waiting.forget(holder) || held;
  }
}
