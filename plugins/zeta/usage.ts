import type { Usage } from 'drivebay/plugin';
import { countOf, type Fields } from '../_shared/fields';

/** Every piece counts all that came so far, but not each names every counter. */
export function addCounts(counts: Fields, more: Fields): void {
  for (const name in more) if (typeof more[name] === 'number') counts[name] = more[name];
}

/** Adds up a usage; undefined when it counts nothing. The prompt's count includes what was cached. */
export function readUsage(counts: Fields): Usage | undefined {
  const prompt = countOf(counts.promptTokenCount);
  const answer = countOf(counts.candidatesTokenCount);
  const thoughts = countOf(counts.thoughtsTokenCount);
  if (prompt === undefined && answer === undefined && thoughts === undefined) return undefined;
  const cached = countOf(counts.cachedContentTokenCount);
  return {
    type: 'usage',
    inputTokens: (prompt ?? 0) + (countOf(counts.toolUsePromptTokenCount) ?? 0),
    outputTokens: (answer ?? 0) + (thoughts ?? 0),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  };
}
