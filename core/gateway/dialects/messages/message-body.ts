import type { ChatEvent } from '../../../contract/api';
import type { CallContext } from '../../dialect';
import type { BodyForm } from '../../whole-chat';
import { AnswerBlocks, type BlockSink, DELTAS } from './answer-blocks';
import { type AnswerHead, shownName, stopReason, wireUsage } from './wire-parts';

type Fields = Record<string, unknown>;

/** Folds the events of an answer into one body. */
export class MessageBody implements BodyForm, BlockSink {
  private readonly blocks: AnswerBlocks;
  private readonly content: Fields[] = [];
  private native: Fields | undefined;
  private input = '';
  private name: string | undefined;

  constructor(
    private readonly head: AnswerHead,
    /** Fields that only a backend of this wire can act on. */
    private readonly ownFields: string[] = [],
  ) {
    this.blocks = new AnswerBlocks(head, this);
  }

  get ignored(): string[] {
    return this.native ? [] : this.ownFields;
  }

  begin(context: CallContext): void {
    this.name = shownName(this.head, context);
    this.blocks.begin(context);
  }

  add(event: ChatEvent): void {
    if (event.type === 'native') this.native = event.value;
    else if (!this.native) this.blocks.add(event);
  }

  toBody(): Fields {
    if (this.native) return this.name === undefined ? this.native : { ...this.native, model: this.name };
    this.blocks.end();
    const { finish, hasCall, usage } = this.blocks;
    const { id, model } = this.head;
    return {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: this.content,
      stop_reason: stopReason(finish, hasCall),
      stop_sequence: null,
      usage: wireUsage(usage),
    };
  }

  start(_index: number, block: Fields): void {
    this.content.push({ ...block });
    this.input = '';
  }

  delta(index: number, type: keyof typeof DELTAS, piece: string): void {
    const block = this.content[index]!;
    if (type === 'input_json_delta') this.input += piece;
    else block[DELTAS[type]] = (block[DELTAS[type]] as string) + piece;
  }

  stop(index: number): void {
    const block = this.content[index]!;
    if (block.type === 'tool_use') block.input = parse(this.input);
  }
}

/** A model may write what is no JSON: then the client sees what it wrote. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
