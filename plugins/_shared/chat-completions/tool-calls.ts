import { fieldsOf, isFields, textOf, unknownFields, type Fields } from '../fields';
import { ToolCalls, type OpenCall, type ToolCallEvent } from '../http/tool-calls';

const NONE = '{}';
const MAPPED = new Set(['index', 'id', 'type', 'function']);

/** The tool calls of one choice. Finds the call of each piece, because servers leave indexes out or number every call 0. */
export class WireToolCalls extends ToolCalls {
  private readonly byId = new Map<string, OpenCall>();
  /** The call that a server's index means at the moment. */
  private readonly byIndex = new Map<unknown, OpenCall>();
  private readonly serverIds = new Map<OpenCall, string>();
  /** What has come of calls whose name is still to come: clients take a name with the first piece only. */
  private readonly nameless = new Map<OpenCall, ToolCallEvent>();

  /** A call or a piece of one, as a stream sends it. Undefined: nothing can be told of it yet. */
  readPiece(piece: Fields): ToolCallEvent | undefined {
    const id = textOf(piece.id);
    const name = textOf(fieldsOf(piece.function).name);
    const known = this.find(piece.index, id, name);
    if (!known) return isEmpty(piece, id ?? name) ? undefined : this.begin(piece, piece.index);
    const event = this.slice(piece, known);
    const held = this.nameless.get(known);
    if (!held) return event;
    if (id !== undefined && !this.byId.has(held.id!)) {
      held.id = id;
      this.byId.set(id, known);
    }
    return this.hold(known, joined(held, event), name);
  }

  override complete(): ToolCallEvent[] {
    const held = [...this.nameless.values()];
    this.nameless.clear();
    return [...held, ...super.complete()];
  }

  /** A complete call of a single-shot answer. */
  readWhole(call: Fields): ToolCallEvent | undefined {
    return this.begin(call, undefined);
  }

  /**
   * An unknown id starts a call only together with a name: some servers make up a new id for every piece. A name
   * without an id at a known index is a repetition, unless the call there has none yet. Some servers give one id to all
   * calls of a function: then the index counts.
   */
  private find(index: unknown, id: string | undefined, name: string | undefined): OpenCall | undefined {
    const sameIndex = typeof index === 'number' ? this.byIndex.get(index) : undefined;
    const sameId = id === undefined ? undefined : this.byId.get(id);
    if (sameId) {
      if (sameIndex && this.serverIds.get(sameIndex) === id) return sameIndex;
      return name !== undefined && typeof index === 'number' && !sameIndex ? undefined : sameId;
    }
    const open = sameIndex ?? (typeof index === 'number' ? undefined : this.last);
    if (name === undefined) return open;
    const isAwaited = open !== undefined && this.nameless.has(open);
    return id === undefined ? (isAwaited ? open : sameIndex) : isAwaited ? sameIndex : undefined;
  }

  private begin(piece: Fields, index: unknown): ToolCallEvent | undefined {
    const id = textOf(piece.id);
    const isTaken = id !== undefined && this.byId.has(id);
    const call = this.open(isTaken ? undefined : id);
    if (id !== undefined) this.serverIds.set(call, id);
    if (id !== undefined && !isTaken) this.byId.set(id, call);
    if (typeof index === 'number') this.byIndex.set(index, call);
    const event = this.slice(piece, call);
    event.id = call.id;
    event.name = '';
    event.arguments ??= '';
    // Some servers begin every call so, and send the arguments behind. A call that stays without gets them at the end.
    if (event.arguments === NONE) {
      event.arguments = '';
      call.hasArguments = false;
    }
    return this.hold(call, event, textOf(fieldsOf(piece.function).name));
  }

  private hold(call: OpenCall, event: ToolCallEvent, name: string | undefined): ToolCallEvent | undefined {
    // A type of call that is no function has its name elsewhere.
    if (name === undefined && event.extra?.type === undefined) {
      this.nameless.set(call, event);
      return undefined;
    }
    this.nameless.delete(call);
    event.name = name ?? '';
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

/** Some servers announce a call before they know anything of it. */
function isEmpty(piece: Fields, idOrName: string | undefined): boolean {
  return idOrName === undefined && toText(fieldsOf(piece.function).arguments) === '' && !unknownFields(piece, MAPPED);
}

function joined(held: ToolCallEvent, { arguments: piece = '', extra }: ToolCallEvent): ToolCallEvent {
  const event = { ...held, arguments: held.arguments + piece };
  return extra ? { ...event, extra: { ...held.extra, ...extra } } : event;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
