import type { ChatEvent } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { finishWords, toFinishReason } from '../_shared/http/finish-reason';
import { foreignAnswer, objectIn, truncated, type AnswerReader } from '../_shared/http/answer-reader';
import { BlockReader } from './block-reader';
import type { Thoughts } from './thoughts';
import { readUsage } from './usage';
import { findAnswerError } from './vendor-error';

const FINISH_WORDS = finishWords({
  // Without a call, `tool_use` is the end of what the vendor's own tools have found.
  stop: 'end_turn stop_sequence pause_turn tool_use compaction',
  length: 'max_tokens model_context_window_exceeded',
  content_filter: 'refusal',
});

export class MessageReader implements AnswerReader {
  isComplete = false;
  /** The vendor's last word is always waited for. */
  readonly patienceMs = undefined;
  private readonly blocks = new BlockReader();
  private usage: Fields = {};
  private stopReason: string | undefined;
  private stopSequence: string | undefined;
  private hasBegun = false;

  constructor(
    private readonly makeError: MakeError,
    private readonly thoughts: Thoughts,
  ) {}

  read(piece: Fields, events: ChatEvent[]): void {
    switch (piece.type) {
      case 'content_block_delta':
        if (isFields(piece.delta)) this.blocks.readDelta(piece.index, piece.delta, events);
        break;
      case 'content_block_start':
        if (isFields(piece.content_block)) this.blocks.start(piece.index, piece.content_block, events);
        break;
      case 'content_block_stop':
        this.blocks.stop(piece.index, events);
        break;
      case 'message_start':
        if (!isFields(piece.message)) break;
        this.begin(piece.message, events);
        this.readBlocks(listOf(piece.message.content), events);
        // The input is charged also where the rest never comes.
        this.pushUsage(events);
        break;
      case 'message_delta':
        this.count(piece.usage);
        if (isFields(piece.delta)) this.readStop(piece.delta);
        break;
      case 'message_stop':
        this.isComplete = true;
        break;
      default: {
        // `ping`, and types that the vendor will add.
        const error = findAnswerError(piece, this.makeError);
        if (error) throw error;
      }
    }
  }

  readWhole(answer: unknown, events: ChatEvent[]): void {
    const message = objectIn(answer, this.makeError);
    const error = findAnswerError(message, this.makeError);
    if (error) throw error;
    this.begin(message, events);
    if (!Array.isArray(message.content)) {
      throw foreignAnswer(message, 'content', 'check base_url: is it an endpoint of the Messages API?', this.makeError);
    }
    this.readBlocks(message.content, events);
    this.isComplete = true;
    this.conclude(events);
  }

  conclude(events: ChatEvent[]): void {
    if (!this.isComplete) throw truncated(this.makeError, this.hasBegun);
    const { hasText, callIds, thoughts } = this.blocks.conclude(events);
    this.pushUsage(events);
    const reason = toFinishReason(FINISH_WORDS, this.stopReason, { text: hasText, calls: callIds.length > 0 });
    if (reason === undefined) {
      const message = `the model gave no answer (stop_reason ${this.stopReason ?? 'missing'})`;
      throw this.makeError('upstream', message, { kind: 'empty' });
    }
    if (thoughts.length > 0) this.thoughts.remember(callIds, thoughts);
    const stopSequence = this.stopReason === 'stop_sequence' ? this.stopSequence : undefined;
    events.push(stopSequence === undefined ? { type: 'finish', reason } : { type: 'finish', reason, stopSequence });
  }

  private readStop({ stop_reason: reason, stop_sequence: sequence }: Fields): void {
    this.stopReason = textOf(reason) ?? this.stopReason;
    this.stopSequence = textOf(sequence) ?? this.stopSequence;
  }

  private readBlocks(blocks: unknown[], events: ChatEvent[]): void {
    blocks.forEach((block, index) => {
      if (!isFields(block)) return;
      this.blocks.start(index, block, events);
      this.blocks.stop(index, events);
    });
  }

  private begin(message: Fields, events: ChatEvent[]): void {
    this.hasBegun = true;
    this.count(message.usage);
    this.readStop(message);
    const model = textOf(message.model);
    if (model !== undefined) events.push({ type: 'meta', model });
  }

  /** Counters come twice in a stream, the later ones complete; null says nothing. */
  private count(usage: unknown): void {
    for (const [name, count] of Object.entries(fieldsOf(usage))) if (count !== null) this.usage[name] = count;
  }

  private pushUsage(events: ChatEvent[]): void {
    const usage = readUsage(this.usage);
    if (usage) events.push(usage);
  }
}
