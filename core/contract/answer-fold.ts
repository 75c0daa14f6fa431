import { type Fields, mergeFields } from '../fields';
import type { ChatEvent, FinishReason, ToolCallPart, Usage } from './api';

export class AnswerFold {
  text = '';
  reasoning = '';
  signatures: Fields | undefined;
  delta: Fields | undefined;
  choiceFields: Fields | undefined;
  usage: Usage | undefined;
  finish: FinishReason | undefined;
  /** By index. Some backends begin at 1. */
  private readonly calls = new Map<number, ToolCallPart>();

  add(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
        this.text += event.text;
        break;
      case 'reasoning':
        this.reasoning += event.text;
        if (event.extra) this.signatures = mergeFields(this.signatures, event.extra);
        break;
      case 'reasoning_end':
        if (event.extra) this.signatures = mergeFields(this.signatures, event.extra);
        break;
      case 'tool_call':
        this.addToolCall(event);
        break;
      case 'extra':
        if (event.delta) this.delta = mergeFields(this.delta, event.delta);
        if (event.choiceFields) this.choiceFields = mergeFields(this.choiceFields, event.choiceFields);
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

  /** The calls in the order of their indexes. `makeId` serves calls that have no id. */
  toolCalls(makeId: (index: number) => string): ToolCallPart[] {
    return [...this.calls]
      .sort(([a], [b]) => a - b)
      .map(([index, call]) => ({ ...call, id: call.id || makeId(index) }));
  }

  private addToolCall(event: Extract<ChatEvent, { type: 'tool_call' }>): void {
    const { index, id = '', name = '', arguments: piece = '', extra } = event;
    let call = this.calls.get(index);
    if (!call) this.calls.set(index, (call = { type: 'tool_call', id: '', name: '', arguments: '' }));
    call.id ||= id;
    call.name ||= name;
    call.arguments += piece;
    if (extra) call.extra = mergeFields(call.extra, extra);
  }
}
