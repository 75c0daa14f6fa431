import { isFields } from '../../../fields';
import { introduce } from '../../summary';
import type { RequestFields } from './request-fields';

type Fields = Record<string, unknown>;

/** The text for the model; undefined for every other block, and for a summary that has failed. */
function summaryIn(block: unknown): string | undefined {
  if (!isFields(block) || block.type !== 'compaction') return undefined;
  return typeof block.content === 'string' && block.content !== '' ? introduce(block.content) : undefined;
}

/** The place of the last answer with a summary of the conversation before it, which the model then need not see; else 0. */
export function summaryStart(messages: RequestFields['messages']): number {
  const at = messages.findLastIndex(({ role, content }) => {
    return role === 'assistant' && Array.isArray(content) && content.some(summaryIn);
  });
  return Math.max(0, at);
}

/** The summary of a message, and what it says behind. */
export function splitAtSummary(blocks: readonly Fields[]): { summary: string | undefined; rest: readonly Fields[] } {
  const at = blocks.findLastIndex(summaryIn);
  return { summary: summaryIn(blocks[at]), rest: blocks.slice(at + 1) };
}
