import type { ContentPart, Message, Part, ToolCallPart } from '../../../contract/api';

/** For the model: strict servers refuse a call without a result. */
const NO_RESULT = '(no result: the call was interrupted)';
const EARLIER_RESULT = 'Result of an earlier tool call:';

/**
 * Builds messages from items in their order. The parts of one answer become one message of the assistant, and results
 * stand right behind the message with their calls: strict servers and templates want both.
 */
export class Conversation {
  readonly messages: Message[] = [];
  private open: Message | undefined;
  private readonly outputs = new Map<string, ContentPart[][]>();
  private readonly called = new Set<string>();

  /** To be called for each output before anything is added: a message may stand between a call and its output. */
  expectOutput(callId: string, content: ContentPart[]): void {
    const known = this.outputs.get(callId);
    if (known) known.push(content);
    else this.outputs.set(callId, [content]);
  }

  add(message: Message): void {
    this.close();
    this.messages.push(message);
  }

  /** Adds to the answer that is open. */
  answer(parts: Part[]): void {
    this.open ??= { role: 'assistant', parts: [] };
    const { parts: before } = this.open;
    for (const part of parts) {
      // Two texts of one answer were two items, and would run into each other.
      const isNext = part.type === 'text' && before.at(-1)?.type === 'text';
      before.push(isNext ? { ...part, text: `\n\n${part.text}` } : part);
    }
  }

  /** The place of an output. Without its call, which a client may have cut off, it is a message of its own. */
  output(callId: string): void {
    this.close();
    const content = this.called.has(callId) ? undefined : this.outputs.get(callId)?.shift();
    if (!content) return;
    this.messages.push({ role: 'user', parts: [{ type: 'text', text: EARLIER_RESULT }, ...content] });
  }

  end(): Message[] {
    this.close();
    return this.messages;
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    // Reasoning that led to nothing is no message.
    if (!open?.parts.some(({ type }) => type !== 'reasoning')) return;
    this.messages.push(open);
    for (const { id } of open.parts.filter(isCall)) {
      this.called.add(id);
      this.messages.push(this.resultOf(id));
    }
  }

  private resultOf(callId: string): Message {
    const content = this.outputs.get(callId)?.shift() ?? [{ type: 'text', text: NO_RESULT }];
    return { role: 'tool', parts: [{ type: 'tool_result', callId, content }] };
  }
}

const isCall = (part: Part): part is ToolCallPart => part.type === 'tool_call';
