import type { ChatEvent, FinishReason, Message, Part, ToolCallPart, Usage } from '../contract/api';
import { ToolCallFold } from '../contract/tool-call-fold';
import { defined, mergeFields } from '../fields';

type Fields = Record<string, unknown>;

/** Folds the events of an answer into the message that goes into the history. */
export class AnswerMessage {
  text = '';
  usage: Usage | undefined;
  finish: FinishReason = 'stop';
  private reasoning = '';
  private signatures: Fields | undefined;
  private extra: Fields | undefined;
  private readonly calls = new ToolCallFold();

  add(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
        this.text += event.text;
        break;
      case 'reasoning':
        this.reasoning += event.text;
        if (event.extra) this.signatures = mergeFields(this.signatures ?? {}, event.extra);
        break;
      case 'tool_call':
        this.calls.add(event);
        break;
      case 'extra':
        if (event.delta) this.extra = mergeFields(this.extra ?? {}, event.delta);
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'finish':
        this.finish = event.reason;
        break;
      default:
    }
  }

  toolCalls(makeId: () => string): ToolCallPart[] {
    return this.calls.list(makeId);
  }

  /** The message with its signatures, which the backend wants to see again. */
  toMessage(calls: ToolCallPart[]): Message {
    const { text, reasoning, signatures, extra } = this;
    const parts: Part[] = [];
    if (reasoning !== '' || signatures) parts.push(defined({ type: 'reasoning', text: reasoning, extra: signatures }));
    if (text !== '') parts.push({ type: 'text', text });
    return defined({ role: 'assistant', parts: [...parts, ...calls], extra });
  }
}

/** The history for another vendor, whose backend does not know the signatures of this one. */
export function withoutSignatures(messages: readonly Message[]): Message[] {
  return messages.map(({ role, parts, name }) =>
    defined({ role, parts: parts.filter(({ type }) => type !== 'reasoning').map(withoutExtra), name }),
  );
}

function withoutExtra(part: Part): Part {
  if (!('extra' in part)) return part;
  const { extra: _, ...rest } = part;
  return rest;
}
