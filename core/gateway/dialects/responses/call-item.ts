import { type Fields, isFields, mergeFields, parseJson } from '../../../fields';
import type { EventSink } from './event-sink';
import type { ItemPlace } from './text-items';
import type { ClientTool } from './tool-map';

/** What a call is made of besides its arguments. */
interface CallParts {
  tool: ClientTool;
  /** The id that the client gets: that of the backend with what the driver wants back. */
  readonly callId: (extra: Fields | undefined) => string;
}

/** A call of one of the client's tools, as it grows. */
export class CallItem {
  private args = '';
  private extra: Fields | undefined;
  private readonly isCustom: boolean;
  private readonly place: string;

  constructor(
    private readonly at: ItemPlace,
    private readonly call: CallParts,
    private readonly sink: EventSink,
    extra: Fields | undefined,
  ) {
    this.extra = extra;
    this.isCustom = call.tool.kind === 'custom';
    sink.write('response.output_item.added', { output_index: at.index, item: this.toWire('in_progress', '') });
    this.place = `"item_id":"${at.id}","output_index":${at.index}`;
  }

  add(piece: string, extra?: Fields): void {
    if (extra) this.extra = mergeFields(this.extra, extra);
    if (piece === '') return;
    this.args += piece;
    // The input of a custom tool is a text inside of the arguments: it can be told at the end.
    if (!this.isCustom) this.sink.piece('response.function_call_arguments.delta', this.place, piece);
  }

  /** Whether nothing can follow. */
  isWhole(): boolean {
    return parsed(this.args) !== undefined;
  }

  /** A call that was cut off is not announced as done: the client would run it. */
  close(isCut: boolean): Fields {
    if (isCut && !this.isWhole()) return this.toWire('incomplete', this.args);
    const { sink, at } = this;
    if (this.args === '' && !this.isCustom) this.add('{}');
    const place = { item_id: at.id, output_index: at.index };
    const content = this.isCustom ? unwrap(this.args) : this.args;
    const item = this.toWire('completed', content);
    if (this.isCustom) {
      sink.piece('response.custom_tool_call_input.delta', this.place, content);
      sink.write('response.custom_tool_call_input.done', { ...place, input: content });
    } else {
      const { name } = this.call.tool;
      sink.write('response.function_call_arguments.done', { ...place, name, arguments: content });
    }
    sink.write('response.output_item.done', { output_index: at.index, item });
    return item;
  }

  private toWire(status: string, content: string): Fields {
    const { tool, callId } = this.call;
    const { name, namespace } = tool;
    return {
      type: this.isCustom ? 'custom_tool_call' : 'function_call',
      id: this.at.id,
      call_id: callId(this.extra),
      name,
      namespace,
      [this.isCustom ? 'input' : 'arguments']: content,
      status,
    };
  }
}

/** The text that a custom tool takes. A model that wraps it in nothing means all that it wrote. */
function unwrap(args: string): string {
  const input = parsed(args)?.input;
  return typeof input === 'string' ? input : args;
}

function parsed(args: string): Fields | undefined {
  const value = parseJson(args);
  return isFields(value) ? value : undefined;
}
