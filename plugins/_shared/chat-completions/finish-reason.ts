import type { FinishReason } from 'drivebay/plugin';

/** What servers say instead of the five words of the wire, in lower case. */
const REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  stop_str: 'stop',
  complete: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_length: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  sensitive: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

/** Words for an answer that the server itself gave up; whatever text came before is not the whole answer. */
const FAILURES = new Set([
  'error',
  'abort',
  'aborted',
  'cancelled',
  'timeout',
  'network_error',
  'insufficient_system_resource',
]);

/** Undefined when the word means that the answer failed, or means nothing while there is no content either. */
export function toFinishReason(word: string, hasContent: boolean, hasToolCalls: boolean): FinishReason | undefined {
  const name = word.toLowerCase();
  if (FAILURES.has(name)) return undefined;
  const reason = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  if (reason === 'stop' && hasToolCalls) return 'tool_calls';
  if (reason !== undefined) return reason;
  if (hasToolCalls) return 'tool_calls';
  return hasContent ? 'stop' : undefined;
}
