import { mergeFields } from '../fields';
import type { ChatEvent, FinishReason, Message, Part, ToolCallPart, Usage } from '../contract/api';

type Fields = Record<string, unknown>;
type CallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

/** Folds the events of an answer into the message that goes into the history. */
export class AnswerMessage {
  text = '';
  usage: Usage | undefined;
  finish: FinishReason = 'stop';
  private reasoning = '';
  private signatures: Fields | undefined;
  private extra: Fields | undefined;
  /** By index; a backend may begin at 1. */
  private readonly calls = new Map<number, CallEvent>();

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
        this.calls.set(event.index, mergeCall(this.calls.get(event.index), event));
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

  /** The calls in their order. `makeId` gives an id to one that the backend gave none. */
  toolCalls(makeId: () => string): ToolCallPart[] {
    return [...this.calls.values()]
      .sort((a, b) => a.index - b.index)
      .map(({ id, name = '', arguments: text = '', extra }) => ({
        type: 'tool_call',
        id: id || makeId(),
        name,
        arguments: text,
        ...(extra && { extra }),
      }));
  }

  /** The message with its signatures, which the backend wants to see again. */
  toMessage(calls: ToolCallPart[]): Message {
    const parts: Part[] = [];
    if (this.reasoning !== '' || this.signatures) {
      parts.push({ type: 'reasoning', text: this.reasoning, ...(this.signatures && { extra: this.signatures }) });
    }
    if (this.text !== '') parts.push({ type: 'text', text: this.text });
    return { role: 'assistant', parts: [...parts, ...calls], ...(this.extra && { extra: this.extra }) };
  }
}

function mergeCall(before: CallEvent | undefined, piece: CallEvent): CallEvent {
  if (!before) return piece;
  const extra = piece.extra ? mergeFields(before.extra ?? {}, piece.extra) : before.extra;
  const id = before.id || piece.id;
  const name = before.name || piece.name;
  return {
    ...before,
    ...(id && { id }),
    ...(name && { name }),
    arguments: (before.arguments ?? '') + (piece.arguments ?? ''),
    ...(extra && { extra }),
  };
}

/** The history for another vendor, who does not know the signatures of this one. */
export function withoutSignatures(messages: readonly Message[]): Message[] {
  return messages.map(({ role, parts, name }) => ({
    role,
    parts: parts.filter(({ type }) => type !== 'reasoning').map(withoutExtra),
    ...(name !== undefined && { name }),
  }));
}

function withoutExtra(part: Part): Part {
  if (!('extra' in part)) return part;
  const { extra: _, ...rest } = part;
  return rest;
}
