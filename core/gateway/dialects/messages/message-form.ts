import type { ChatEvent } from '../../../contract/api';
import type { Fields } from '../../../fields';
import type { CallContext } from '../../dialect';
import { AnswerBlocks, type BlockSink, type DELTAS } from './answer-blocks';
import { SummaryBlock } from './compaction-block';
import { veil } from './veil';
import { type AnswerHead, nameForClient, stopOf, wireUsage } from './wire-parts';

/** What an answer has in common, in one body and in a stream. */
export abstract class MessageForm implements BlockSink {
  protected readonly blocks: AnswerBlocks;
  /** See `nameForClient`. */
  protected name: string | undefined;
  protected requestId: string | undefined;
  /** As the client named it, else the one that answers. */
  private model: string;
  /** What the backend sent in this wire; undefined where it speaks another one. */
  protected abstract readonly native: object | undefined;

  constructor(
    private readonly head: AnswerHead,
    /** Fields that only a backend of this wire can act on. */
    private readonly ownFields: string[] = [],
    readonly fieldNames?: ReadonlyMap<string, string>,
    isSummary = false,
  ) {
    this.model = head.model;
    this.blocks = isSummary ? new SummaryBlock(head, this) : new AnswerBlocks(head, this);
  }

  get ignored(): string[] {
    return this.native ? [] : this.ownFields;
  }

  begin(context: CallContext): void {
    const { model, device } = context;
    this.model ||= model ?? device.defaultModel ?? device.name;
    this.name = nameForClient(this.head, context);
    this.requestId = context.headers['x-request-id'];
    this.blocks.begin(context);
  }

  veil(event: ChatEvent): ChatEvent {
    return veil(event, this.head.id);
  }

  abstract start(index: number, block: Fields): void;
  abstract delta(index: number, type: keyof typeof DELTAS, piece: string): void;
  abstract stop(index: number): void;

  protected beginning(): Fields {
    return {
      id: this.head.id,
      type: 'message',
      role: 'assistant',
      model: this.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: wireUsage(undefined),
    };
  }

  /** What is known at the end. */
  protected ending() {
    this.blocks.end();
    return { delta: stopOf(this.blocks), usage: wireUsage(this.blocks.usage) };
  }
}
