import type { FinishReason } from 'drivebay/plugin';

const FILTERED = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Undefined when the model gave the answer up (OTHER, MALFORMED_FUNCTION_CALL ...) and there is nothing to show for it. */
export function toFinishReason(word: string, hasText: boolean, hasToolCalls: boolean): FinishReason | undefined {
  if (word === 'MAX_TOKENS') return 'length';
  if (FILTERED.has(word)) return 'content_filter';
  if (hasToolCalls) return 'tool_calls';
  return word === 'STOP' || hasText ? 'stop' : undefined;
}
