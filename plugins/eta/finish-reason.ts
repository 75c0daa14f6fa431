import type { FinishReason } from 'drivebay/plugin';

const REASONS: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** Undefined when the answer has neither content nor a reason that is known. */
export function toFinishReason(
  word: string | undefined,
  hasText: boolean,
  hasCalls: boolean,
): FinishReason | undefined {
  const reason = word !== undefined && Object.hasOwn(REASONS, word) ? REASONS[word] : undefined;
  if (reason === 'length' || reason === 'content_filter') return reason;
  if (hasCalls) return 'tool_calls';
  if (reason === undefined) return hasText ? 'stop' : undefined;
  return 'stop';
}
