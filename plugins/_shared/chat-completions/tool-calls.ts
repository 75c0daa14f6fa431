import { randomUUID } from 'node:crypto';
import type { ChatEvent } from 'drivebay/plugin';
import { isFields, textOf, unknownFields, type Fields } from '../fields';

type ToolCallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

interface KnownCall {
  index: number;
  hasArguments: boolean;
}

const MAPPED = new Set(['index', 'id', 'type', 'function']);

/** The tool calls of one choice. Gives each its own index, because servers leave indexes out or number every call 0. */
export class ToolCalls {
  private readonly calls: KnownCall[] = [];
  private readonly byId = new Map<string, KnownCall>();
  /** The call that a server's index means at the moment. */
  private readonly byIndex = new Map<unknown, KnownCall>();

  get count(): number {
    return this.calls.length;
  }

  /** A call or a piece of one, as a stream sends it. */
  readPiece(piece: Fields): ToolCallEvent {
    const definition = isFields(piece.function) ? piece.function : {};
    const id = textOf(piece.id);
    const known = this.find(piece.index, id, textOf(definition.name));
    return this.toEvent(piece, definition, known ?? this.open(piece.index, id), known === undefined);
  }

  /** A complete call of a single-shot answer. */
  readWhole(call: Fields): ToolCallEvent {
    const definition = isFields(call.function) ? call.function : {};
    return this.toEvent(call, definition, this.open(undefined, textOf(call.id)), true);
  }

  /** Pieces that complete calls without any argument to JSON: clients parse them all. */
  complete(): ToolCallEvent[] {
    const bare = this.calls.filter((call) => !call.hasArguments);
    return bare.map(({ index }) => ({ type: 'tool_call', index, arguments: '{}' }));
  }

  /**
   * An unknown id starts a call only together with a name: some servers make up a new id for every piece. A name
   * without an id at a known index is a repetition.
   */
  private find(index: unknown, id: string | undefined, name: string | undefined): KnownCall | undefined {
    const sameId = id === undefined ? undefined : this.byId.get(id);
    if (sameId) return sameId;
    const sameIndex = typeof index === 'number' ? this.byIndex.get(index) : undefined;
    if (name === undefined) return sameIndex ?? (typeof index === 'number' ? undefined : this.calls.at(-1));
    return id === undefined ? sameIndex : undefined;
  }

  private open(index: unknown, id: string | undefined): KnownCall {
    const call: KnownCall = { index: this.calls.length, hasArguments: false };
    this.calls.push(call);
    if (id !== undefined) this.byId.set(id, call);
    if (typeof index === 'number') this.byIndex.set(index, call);
    return call;
  }

  private toEvent(piece: Fields, definition: Fields, call: KnownCall, isFirst: boolean): ToolCallEvent {
    const event: ToolCallEvent = { type: 'tool_call', index: call.index };
    const text = toArguments(definition.arguments);
    if (isFirst) {
      event.id = textOf(piece.id) ?? `call_${randomUUID().replaceAll('-', '')}`;
      event.name = textOf(definition.name) ?? '';
    }
    if (isFirst || text !== '') event.arguments = text;
    if (text !== '') call.hasArguments = true;
    const extra = unknownFields(piece, MAPPED);
    // A type of call that is no function describes itself in fields of its own.
    if (extra) event.extra = isFields(piece.function) || !textOf(piece.type) ? extra : { ...extra, type: piece.type };
    if (extra && !isFields(piece.function)) call.hasArguments = true;
    return event;
  }
}

function toArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
