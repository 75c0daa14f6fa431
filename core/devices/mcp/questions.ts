import type { ToolUser } from '../tool-server';
import { MOST_QUESTIONS, refusal } from './refused-question';

interface RunningCall {
  user: ToolUser;
  signal: AbortSignal;
  ended: AbortController;
  questions: number;
}

/** The calls that run at a tool server: a server asks a model on behalf of one of them, or not at all. */
export class Questions {
  private readonly running = new Set<RunningCall>();

  /** Call what it returns when the call has ended. */
  begin(user: ToolUser, signal: AbortSignal): () => void {
    const call = { user, signal, ended: new AbortController(), questions: 0 };
    this.running.add(call);
    return () => {
      this.running.delete(call);
      call.ended.abort();
    };
  }

  /**
   * The call that a question counts for. The protocol does not tell it, so it counts for that with the fewest questions;
   * where processes share the server, for one of theirs.
   */
  admit(): { user: ToolUser; signals: AbortSignal[] } {
    const [call] = [...this.running].sort((a, b) => a.questions - b.questions);
    if (!call) throw refusal('a tool server asks a model only while one of its tools runs');
    if (call.questions >= MOST_QUESTIONS)
      throw refusal(`one call of a tool asks a model ${MOST_QUESTIONS} times at most`);
    call.questions += 1;
    return { user: call.user, signals: [call.signal, call.ended.signal] };
  }
}
