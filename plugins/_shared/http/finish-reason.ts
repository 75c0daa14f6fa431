import type { FinishReason } from 'drivebay/plugin';

/** The words of an API for how an answer ended. `failed`: whatever text came before is not the whole answer. */
type FinishWords = ReadonlyMap<string, FinishReason | 'failed'>;

export function finishWords(words: Partial<Record<FinishReason | 'failed', string>>): FinishWords {
  const pairs = Object.entries(words) as [FinishReason | 'failed', string][];
  return new Map(pairs.flatMap(([reason, list]) => list.split(' ').map((word) => [word, reason] as const)));
}

/** Undefined when the model gave the answer up, or when the word is unknown and there is nothing to show for it. */
export function toFinishReason(
  words: FinishWords,
  word: string | undefined,
  has: { text: boolean; calls: boolean },
): FinishReason | undefined {
  const reason = word === undefined ? undefined : words.get(word);
  if (reason === 'failed') return undefined;
  if (reason === 'length' || reason === 'content_filter') return reason;
  if (has.calls) return 'tool_calls';
  return reason ?? (has.text ? 'stop' : undefined);
}
