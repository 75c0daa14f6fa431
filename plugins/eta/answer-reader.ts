import type { ChatEvent } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import { findAnswerError, type MakeError } from './answer-error';
import { BlockReader } from './block-reader';
import { toFinishReason } from './finish-reason';
import type { Thoughts } from './thoughts';
import { mergeUsage, readUsage } from './usage';

/** Reads one answer, in the pieces of a stream or as a whole. */
export class AnswerReader {
  private readonly blocks = new BlockReader();
  private usage: Fields = {};
  private stopReason: string | undefined;
  hasBegun = false;
  isComplete = false;

  constructor(
    private readonly makeError: MakeError,
    private readonly thoughts: Thoughts,
  ) {}

  /** Appends the events of a piece. Throws the error that the server reports in it. */
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
        if (isFields(piece.message)) this.begin(piece.message, events);
        break;
      case 'message_delta':
        this.usage = mergeUsage(this.usage, piece.usage);
        if (isFields(piece.delta)) this.stopReason = textOf(piece.delta.stop_reason) ?? this.stopReason;
        break;
      case 'message_stop':
        this.conclude(events);
        break;
      default: {
        // `ping`, and whatever the vendor will think of.
        const error = findAnswerError(piece, this.makeError);
        if (error) throw error;
      }
    }
  }

  /** Appends the events of an answer that came in one piece. */
  readWhole(message: Fields, events: ChatEvent[]): void {
    this.begin(message, events);
    if (!Array.isArray(message.content)) {
      const names = Object.keys(message).join(', ') || 'none';
      throw this.makeError('protocol', `the answer has no content (its fields: ${names})`, {
        hint: 'check base_url: is it an endpoint of the Messages API?',
      });
    }
    message.content.forEach((block: unknown, index) => {
      if (!isFields(block)) return;
      this.blocks.start(index, block, events);
      this.blocks.stop(index, events);
    });
    this.conclude(events);
  }

  private begin(message: Fields, events: ChatEvent[]): void {
    this.hasBegun = true;
    this.usage = mergeUsage(this.usage, message.usage);
    this.stopReason = textOf(message.stop_reason);
    const model = textOf(message.model);
    if (model !== undefined) events.push({ type: 'meta', model });
  }

  private conclude(events: ChatEvent[]): void {
    const { hasText, callIds, thoughts } = this.blocks.conclude(events);
    const reason = toFinishReason(this.stopReason, hasText, callIds.length > 0);
    if (reason === undefined) {
      throw this.makeError('upstream', `the model gave no answer (stop_reason ${this.stopReason ?? 'missing'})`, {
        kind: 'empty',
      });
    }
    if (thoughts.length > 0) {
      this.thoughts.remember(callIds, thoughts);
      // All at once, and once: clients that keep unknown fields keep the last they saw, or join them.
      events.push({ type: 'reasoning', text: '', extra: { thinking_blocks: thoughts } });
    }
    const usage = readUsage(this.usage);
    if (usage) events.push(usage);
    events.push({ type: 'finish', reason });
    this.isComplete = true;
  }
}
