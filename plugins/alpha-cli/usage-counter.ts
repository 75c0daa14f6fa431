import type { Usage } from 'drivebay/plugin';
import { fromUsage } from './usage';

/** Adds up the streamed messages of a run that does not come to its own sum. */
export class UsageCounter {
  private before: Usage = { type: 'usage', inputTokens: 0, outputTokens: 0 };
  private current: Usage | undefined;

  /** Takes the counts of the current message, which are the latest ones each time. */
  update(usage: unknown): void {
    this.current = fromUsage(usage) ?? this.current;
  }

  /** The current message is complete. */
  next(): void {
    this.before = this.total();
    this.current = undefined;
  }

  total(): Usage {
    const { before, current } = this;
    if (!current) return before;
    return {
      type: 'usage',
      inputTokens: before.inputTokens + current.inputTokens,
      outputTokens: before.outputTokens + current.outputTokens,
      cachedInputTokens: (before.cachedInputTokens ?? 0) + (current.cachedInputTokens ?? 0),
      cacheWriteInputTokens: (before.cacheWriteInputTokens ?? 0) + (current.cacheWriteInputTokens ?? 0),
    };
  }
}
