import { randomUUID } from 'node:crypto';
import type { ChatEvent } from 'drivebay/plugin';

export type ToolCallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

export interface OpenCall {
  readonly index: number;
  readonly id: string;
  hasArguments: boolean;
  /** The arguments to send at the end where no piece has brought any. */
  whole: string;
}

/** An id for a call that has none, or one that may repeat or be guessed, as those of programs. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

/** The tool calls of one answer, in the slices in which they arrive. Each call has its own index, counted from 0. */
export class ToolCalls {
  private readonly calls: OpenCall[] = [];

  get count(): number {
    return this.calls.length;
  }

  get last(): OpenCall | undefined {
    return this.calls.at(-1);
  }

  open(id = newCallId(), whole = '{}'): OpenCall {
    const call: OpenCall = { index: this.calls.length, id, hasArguments: false, whole };
    this.calls.push(call);
    return call;
  }

  /** A piece of the arguments of a call. */
  add(call: OpenCall, piece: string): ToolCallEvent {
    call.hasArguments = true;
    return { type: 'tool_call', index: call.index, arguments: piece };
  }

  /** The arguments of a call that got none: clients parse those of every call. */
  close(call: OpenCall): ToolCallEvent | undefined {
    return call.hasArguments ? undefined : this.add(call, call.whole);
  }

  /** The arguments that are still missing at the end of the answer. */
  complete(): ToolCallEvent[] {
    return this.calls.flatMap((call) => this.close(call) ?? []);
  }
}
