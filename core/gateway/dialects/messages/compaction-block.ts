import type { ChatRequest } from '../../../contract/api';
import { type Fields, isFields } from '../../../fields';
import type { WordsEvent } from '../../answer-events';
import { askForSummary, introduce } from '../../summary';
import { ifText } from '../../value-at';
import { AnswerBlocks } from './answer-blocks';
import type { RequestFields } from './request-fields';

/** The text for the model; undefined for every other block, and for a summary that has failed. */
function summaryIn(block: unknown): string | undefined {
  if (!isFields(block) || block.type !== 'compaction') return undefined;
  return typeof block.content === 'string' && block.content !== '' ? introduce(block.content) : undefined;
}

/** Whether a request is for a summary in place of an answer, and then turns its chat into the question for it. */
export function wantsSummary({ compaction }: Record<string, unknown>, chat: ChatRequest): boolean {
  if (!isFields(compaction)) return false;
  askForSummary(chat, ifText(compaction.instructions)?.trim() || undefined);
  return true;
}

/** The answer to such a request: one block, which takes the place of the conversation. */
export class SummaryBlock extends AnswerBlocks {
  readonly isSummary = true;
  private summary = '';

  protected override addWords(event: WordsEvent): void {
    if (event.type === 'text') this.summary += event.text;
  }

  protected override addCall(): void {}

  override end(): void {
    this.sink.start(0, { type: 'compaction', content: '', encrypted_content: null });
    this.sink.delta(0, 'compaction_delta', this.summary);
    this.sink.stop(0);
  }
}

/** The place of the last answer with a summary of the conversation before it, which the model then need not see; else 0. */
export function summaryStart(messages: RequestFields['messages']): number {
  const at = messages.findLastIndex(({ role, content }) => {
    return role === 'assistant' && Array.isArray(content) && content.some(summaryIn);
  });
  return Math.max(0, at);
}

/** The summary of a message, and the text after it. */
export function splitAtSummary(blocks: readonly Fields[]): { summary: string | undefined; rest: readonly Fields[] } {
  const at = blocks.findLastIndex(summaryIn);
  return { summary: summaryIn(blocks[at]), rest: blocks.slice(at + 1) };
}
