import type { Message, Part } from 'drivebay/plugin';

/** An id of a call that the vendor of every program takes. */
const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;
/** Leaves room for a number behind it. */
const LONGEST_START = 56;
const NUMBERED = /^(.+)_\d+$/;

/**
 * The messages with ids that every program takes, each for one call only. The calls of another vendor's model may have any
 * id, and some servers count the calls of each turn anew: Claude Code and Qwen Code leave out a call whose id they know
 * already, and its result. The same messages get the same ids, because vendors cache what they have read.
 */
export function withPlainIds(messages: readonly Message[]): Message[] {
  const ids = new CallIds();
  /** The new ids of the latest calls that have no result yet, by the client's id. */
  let open = new Map<string, string[]>();
  const inPart = (part: Part): Part => {
    if (part.type === 'tool_call') {
      const id = ids.next(part.id);
      open.set(part.id, [...(open.get(part.id) ?? []), id]);
      return { ...part, id };
    }
    if (part.type !== 'tool_result') return part;
    return { ...part, callId: open.get(part.callId)?.shift() ?? part.callId };
  };
  return messages.map((message, index) => {
    const { role, parts } = message;
    if (role === 'assistant' && messages[index - 1]?.role !== role) open = new Map();
    return parts.some(isOfCall) ? { ...message, parts: parts.map(inPart) } : message;
  });
}

function isOfCall({ type }: Part): boolean {
  return type === 'tool_call' || type === 'tool_result';
}

class CallIds {
  private readonly used = new Set<string>();
  /** What stands before the number of those that end in one. */
  private readonly starts = new Set<string>();

  next(id: string): string {
    const start = PLAIN.test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_START) || 'call';
    let plain = start;
    for (let count = 2; this.isTaken(plain); count += 1) plain = `${start.slice(0, LONGEST_START)}-${count}`;
    this.used.add(plain);
    this.starts.add(startOf(plain));
    return plain;
  }

  /** Claude Code 2.1.331 takes `look_1` for a part of `look`, in either order, and loses its result. */
  private isTaken(id: string): boolean {
    return this.used.has(id) || this.used.has(startOf(id)) || this.starts.has(id);
  }
}

/** The id itself where it does not end in a number. */
function startOf(id: string): string {
  return NUMBERED.exec(id)?.[1] ?? id;
}
