import { mergeFields } from '../fields';
import type { ChatEvent, ToolCallPart } from './api';

/** Joins the pieces of the tool calls of one message. */
export class ToolCallFold {
  private readonly calls = new Map<number, ToolCallPart>();

  add({ index, id = '', name = '', arguments: piece = '', extra }: Extract<ChatEvent, { type: 'tool_call' }>): void {
    let call = this.calls.get(index);
    if (!call) this.calls.set(index, (call = { type: 'tool_call', id: '', name: '', arguments: '' }));
    call.id ||= id;
    call.name ||= name;
    call.arguments += piece;
    if (extra) call.extra = mergeFields(call.extra ?? {}, extra);
  }

  /** The calls in the order of their indexes, which may begin at 1. `makeId` serves calls that have no id. */
  list(makeId: (index: number) => string): ToolCallPart[] {
    return [...this.calls]
      .sort(([a], [b]) => a - b)
      .map(([index, call]) => ({ ...call, id: call.id || makeId(index) }));
  }
}
