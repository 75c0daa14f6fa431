import type { Fields } from '../../../fields';
import { AnswerEvents, type CallEvent, type WordsEvent } from '../../answer-events';
import type { CallContext } from '../../dialect';
import { CallItem } from './call-item';
import { summaryItem } from './compaction';
import type { EventSink } from './event-sink';
import type { ResponseHead } from './response-head';
import { MessageItem, type PartKind, ReasoningItem } from './text-items';
import type { ClientTools } from './tool-map';

/** What the items of an answer follow from, besides its events. */
export interface AnswerPlan {
  head: ResponseHead;
  tools: ClientTools;
  /** The request asks for a summary, in an item of its own. */
  isCompaction: boolean;
}

/** Makes the items of an answer from its events, and tells a sink about each step. */
export class AnswerItems extends AnswerEvents {
  /** By output index. An item that is open has no value yet. */
  readonly output: Fields[] = [];
  /** How many items were opened. */
  count = 0;
  private text: MessageItem | undefined;
  private reasoning: ReasoningItem | undefined;
  /** By the index of the driver, with the place in the output; nothing once it is closed. Undefined where there are none. */
  private calls: Map<number, { item: CallItem; index: number } | undefined> | undefined;
  private textIndex = 0;
  private summary = '';

  constructor(
    private readonly plan: AnswerPlan,
    private readonly sink: EventSink,
    /** The client loses a message with a part of another kind. */
    private readonly readsTextOnly = false,
  ) {
    super();
  }

  override begin(context: CallContext): void {
    super.begin(context);
    const { model, device } = context;
    this.plan.head.useModel(model ?? device.defaultModel ?? device.name);
  }

  /** Closes what is open. */
  close(): void {
    const isCut = this.finish === 'length' || this.finish === 'content_filter';
    this.closeReasoning();
    this.closeText(isCut);
    this.closeCalls(() => true, isCut);
    if (this.plan.isCompaction) {
      const output_index = this.count++;
      const item = summaryItem(this.plan.head.itemId('cmp', output_index), this.summary);
      this.sink.write('response.output_item.added', { output_index, item });
      this.sink.write('response.output_item.done', { output_index, item });
      this.output[output_index] = item;
    }
  }

  protected addWords(event: WordsEvent): void {
    if (event.type === 'text') {
      this.addText(event.text, 'output_text');
      return;
    }
    const isEnd = event.type === 'reasoning_end';
    if (!isEnd || event.extra) this.openReasoning()?.add(isEnd ? '' : event.text, event.extra);
    if (isEnd) this.closeReasoning();
  }

  protected override addRefusal(text: string): void {
    this.addText(text, this.readsTextOnly ? 'output_text' : 'refusal');
  }

  private addText(text: string, kind: PartKind): void {
    if (this.plan.isCompaction) {
      this.summary += text;
    } else if (text !== '') {
      this.text ??= this.openText();
      this.text.add(kind, text);
    }
  }

  private openText(): MessageItem {
    this.closeReasoning();
    this.closeWholeCalls();
    this.textIndex = this.count++;
    return new MessageItem(this.place('msg', this.textIndex), this.sink);
  }

  private closeText(isCut: boolean): void {
    if (this.text) this.output[this.textIndex] = this.text.close(isCut);
    this.text = undefined;
  }

  private openReasoning(): ReasoningItem | undefined {
    if (this.plan.isCompaction) return undefined;
    if (!this.reasoning) {
      this.closeText(false);
      this.closeWholeCalls();
      this.textIndex = this.count++;
      const pack = (extra: Fields) => this.pack(extra);
      this.reasoning = new ReasoningItem(this.place('rs', this.textIndex), this.sink, pack);
    }
    return this.reasoning;
  }

  private closeReasoning(): void {
    if (this.reasoning) this.output[this.textIndex] = this.reasoning.close();
    this.reasoning = undefined;
  }

  protected addCall(event: CallEvent): void {
    if (this.plan.isCompaction) return;
    if (this.calls?.has(event.index)) this.calls.get(event.index)?.item.add(event.arguments ?? '', event.extra);
    else this.openCall(event).add(event.arguments ?? '');
  }

  private openCall({ index, id, name = '', extra }: CallEvent): CallItem {
    this.closeReasoning();
    this.closeText(false);
    this.closeWholeCalls();
    const place = this.count++;
    const { head, tools } = this.plan;
    const plain = id || head.itemId('call', place);
    const parts = {
      tool: tools.find(name),
      callId: (state: Fields | undefined) => (state ? this.pack(state, plain) : plain),
    };
    const kind = parts.tool.kind === 'custom' ? 'ctc' : 'fc';
    const item = new CallItem(this.place(kind, place), parts, this.sink, extra);
    (this.calls ??= new Map()).set(index, { item, index: place });
    return item;
  }

  /** Some backends send the pieces of several calls by turns. So a call stays open until its arguments are whole. */
  private closeWholeCalls(): void {
    this.closeCalls((item) => item.isWhole(), false);
  }

  private closeCalls(mayClose: (item: CallItem) => boolean, isCut: boolean): void {
    for (const [key, call] of this.calls ?? []) {
      if (!call || !mayClose(call.item)) continue;
      this.output[call.index] = call.item.close(isCut);
      this.calls!.set(key, undefined);
    }
  }

  private place(kind: string, index: number) {
    return { id: this.plan.head.itemId(kind, index), index };
  }
}
