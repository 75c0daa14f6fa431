import { fieldsOf, isFields, textOf, unknownFields, type Fields } from '../fields';
import { ToolCalls, type OpenCall, type ToolCallEvent } from '../http/tool-calls';

const MAPPED = new Set(['index', 'id', 'type', 'function']);

/** The tool calls of one choice. Finds the call of each piece, because servers leave indexes out or number every call 0. */
export class WireToolCalls extends ToolCalls {
  private readonly byId = new Map<string, OpenCall>();
  /** The call that a server's index means at the moment. */
  private readonly byIndex = new Map<unknown, OpenCall>();

  /** A call or a piece of one, as a stream sends it. */
  readPiece(piece: Fields): ToolCallEvent {
    const known = this.find(piece.index, textOf(piece.id), textOf(fieldsOf(piece.function).name));
    return known ? this.slice(piece, known) : this.begin(piece, piece.index);
  }

  /** A complete call of a single-shot answer. */
  readWhole(call: Fields): ToolCallEvent {
    return this.begin(call, undefined);
  }

  /**
   * An unknown id starts a call only together with a name: some servers make up a new id for every piece. A name
   * without an id at a known index is a repetition.
   */
  private find(index: unknown, id: string | undefined, name: string | undefined): OpenCall | undefined {
    const sameId = id === undefined ? undefined : this.byId.get(id);
    if (sameId) return sameId;
    const sameIndex = typeof index === 'number' ? this.byIndex.get(index) : undefined;
    if (name === undefined) return sameIndex ?? (typeof index === 'number' ? undefined : this.last);
    return id === undefined ? sameIndex : undefined;
  }

  private begin(piece: Fields, index: unknown): ToolCallEvent {
    const id = textOf(piece.id);
    const call = this.open(id);
    if (id !== undefined) this.byId.set(id, call);
    if (typeof index === 'number') this.byIndex.set(index, call);
    const event = this.slice(piece, call);
    event.id = call.id;
    event.name = textOf(fieldsOf(piece.function).name) ?? '';
    event.arguments ??= '';
    return event;
  }

  private slice(piece: Fields, call: OpenCall): ToolCallEvent {
    const event: ToolCallEvent = { type: 'tool_call', index: call.index };
    const isFunction = isFields(piece.function);
    const text = toText(fieldsOf(piece.function).arguments);
    if (text !== '') event.arguments = text;
    const extra = unknownFields(piece, MAPPED);
    // A type of call that is no function describes itself in fields of its own.
    if (extra) event.extra = isFunction || !textOf(piece.type) ? extra : { ...extra, type: piece.type };
    if (text !== '' || (extra && !isFunction)) call.hasArguments = true;
    return event;
  }
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
