import { answerMethod } from '../_shared/cli/client-tools/answer-method';
import { fieldsOf, isFields, listOf, spelled, textOf, type Fields } from '../_shared/fields';

/** A call that the program waits for. */
interface PendingCall {
  toolUseId: string;
  name: string;
  arguments: unknown;
  /** The question of the program, and the message in it. */
  requestId: string;
  messageId: unknown;
}

/** The longest result that the program hands to the model. Without the wish it is 50,000. */
export const LONGEST_RESULT = 500_000;

/**
 * The tools of a client as a server of the Model Context Protocol, which the program reaches over its own standard input
 * and output. It also follows which calls the model makes, so that all calls of a message are passed on together.
 */
export class ToolServer {
  /** By the model's id. A second call with an id has a key of its own. */
  private readonly pending = new Map<string, PendingCall>();
  /** The model's ids of the calls in the latest message, in its order, without those that the program has answered itself. */
  private latest: string[] = [];
  /** Whether the latest message has come to its end. */
  private isOver = false;
  /** Whether a part of the message is on its way. */
  isInBlock = false;

  constructor(private readonly tools: readonly Fields[]) {}

  /** The answer to a question of the program. Undefined for a call, whose result comes later. */
  answer({ subtype, message }: Fields, requestId: string): Fields | undefined {
    if (subtype !== 'mcp_message') return undefined;
    const { method, params, id } = fieldsOf(message);
    const wrap = (answer: Fields): Fields => ({ mcp_response: { jsonrpc: '2.0', id: id ?? 0, ...answer } });
    switch (method) {
      case 'tools/call': {
        const { name, arguments: args = {}, _meta } = fieldsOf(params);
        const toolUseId = textOf(fieldsOf(_meta)['claudecode/toolUseId']) ?? `call ${spelled(id)}`;
        // Some servers give two calls of a message one id. The program waits for the result of each.
        const key = this.pending.has(toolUseId) ? `${toolUseId} again, ${spelled(id)}` : toolUseId;
        this.pending.set(key, { toolUseId, name: textOf(name) ?? '', arguments: args, requestId, messageId: id });
        return undefined;
      }
      case 'notifications/cancelled': {
        const { requestId: canceled } = fieldsOf(params);
        for (const [key, { messageId }] of this.pending) if (messageId === canceled) this.pending.delete(key);
        return wrap({ result: {} });
      }
      default:
        return wrap(id === undefined ? { result: {} } : answerMethod({ method, params }, 'client', this.tools));
    }
  }

  /** What to reply to the question of a call. */
  settle(key: string, content: Fields[]): { requestId: string; response: Fields } | undefined {
    const call = this.pending.get(key);
    if (!call) return undefined;
    this.pending.delete(key);
    const response = { mcp_response: { jsonrpc: '2.0', id: call.messageId, result: { content } } };
    return { requestId: call.requestId, response };
  }

  /** The calls that wait, in the order of the message. */
  get calls(): [key: string, call: PendingCall][] {
    const place = ({ toolUseId }: PendingCall): number => this.latest.indexOf(toolUseId) >>> 0;
    return [...this.pending].sort(([, one], [, other]) => place(one) - place(other));
  }

  get isWaiting(): boolean {
    return this.pending.size > 0;
  }

  /** Reads a line of the model's answer. */
  follow(line: Fields): void {
    if (line.parent_tool_use_id != null) return;
    if (line.type === 'stream_event') return this.followStreamed(fieldsOf(line.event));
    const blocks = isFields(line.message) ? listOf(line.message.content).map(fieldsOf) : [];
    for (const { type, id, tool_use_id: answered } of blocks) {
      if (type === 'tool_use') this.latest.push(spelled(id));
      const place = type === 'tool_result' ? this.latest.indexOf(spelled(answered)) : -1;
      // The program has refused the call by itself, and asks the model again.
      if (place >= 0) this.latest.splice(place, 1);
    }
  }

  /** Whether no further call of the latest message will come. */
  get isWhole(): boolean {
    if (!this.isOver) return false;
    const missing = [...this.latest];
    for (const { toolUseId } of this.pending.values()) {
      const place = missing.indexOf(toolUseId);
      if (place >= 0) missing.splice(place, 1);
    }
    return missing.length === 0;
  }

  private followStreamed(event: Fields): void {
    switch (event.type) {
      case 'message_start':
        this.latest = [];
        this.isOver = false;
        break;
      case 'content_block_start':
        this.isInBlock = true;
        break;
      case 'content_block_stop':
        this.isInBlock = false;
        break;
      case 'message_stop':
        this.isOver = true;
        this.isInBlock = false;
        break;
    }
  }
}
