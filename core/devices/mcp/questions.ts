import { messageOf } from '../../errors';
import { admitDepth } from '../../subprocess/depth';
import type { ToolUser } from '../tool-server';

interface RunningCall {
  user: ToolUser;
  signal: AbortSignal;
  ended: AbortController;
  questions: number;
}

/** The calls that run at a tool server: a server asks a model on behalf of one of them, or not at all. */
export class Questions {
  private readonly running = new Set<RunningCall>();

  /** Call the returned function when the call has ended. */
  begin(user: ToolUser, signal: AbortSignal): () => void {
    const call = { user, signal, ended: new AbortController(), questions: 0 };
    this.running.add(call);
    return () => {
      this.running.delete(call);
      call.ended.abort();
    };
  }

  /**
   * The call that a question counts for, with the depth of what is asked. The protocol does not tell the call, so it counts for
   * that with the fewest questions. Where processes share the server, the question may be of any of them: all have to be allowed
   * to ask.
   */
  admit(): { user: ToolUser & { depth: number }; signals: AbortSignal[] } {
    const calls = [...this.running].sort((a, b) => a.questions - b.questions);
    const [call] = calls;
    if (!call) throw refusal('a tool server asks a model only while one of its tools runs');
    if (calls.some(({ user }) => user.client !== undefined))
      throw refusal('a process of a client of the gateway asks no models by its tool servers');
    const depth = depthBelow(calls);
    if (call.questions >= MOST_QUESTIONS)
      throw refusal(`one call of a tool asks a model ${MOST_QUESTIONS} times at most`);
    call.questions += 1;
    return { user: { ...call.user, depth }, signals: [call.signal, call.ended.signal] };
  }
}

/** A process itself is one more agent between the user and the model. */
function depthBelow(calls: readonly RunningCall[]): number {
  const deepest = Math.max(...calls.map(({ user }) => user.depth ?? 0));
  try {
    return admitDepth(String(deepest + 1));
  } catch (error) {
    throw refusal(messageOf(error));
  }
}

/** Questions during one call of a tool, however many the budget would pay for. */
const MOST_QUESTIONS = 50;

/** As the protocol has it: the user does not want that. */
const REFUSED = -1;

/** A question that a tool server may not ask a model, in words for the server. */
export function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: REFUSED });
}
