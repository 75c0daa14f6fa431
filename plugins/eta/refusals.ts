import type { Refusal } from '../_shared/http/refusals';
import { WISH_REFUSALS } from '../_shared/http/wishes';

/** The vendor's sentences, as recorded in test/plugins/recorded-refusals.ts. */
export const REFUSALS: readonly Refusal[] = [
  { words: /cache_control: Extra inputs are not permitted/g, parts: ['cache_control'] },
  { words: /^tools\.\d+\.custom\.strict: Extra inputs are not permitted/g, parts: ['tools.strict'] },
  { words: /^thinking\.adaptive\.display: Extra inputs are not permitted/g, parts: ['thinking.display'] },
  { words: /"thinking\.type\.enabled" is not supported/g, parts: ['thinking.enabled'] },
  { words: /adaptive thinking is not supported/g, parts: ['thinking.adaptive'] },
  ...WISH_REFUSALS,
  // Thinking of another model, or of a conversation that was shortened: the answer matters more.
  { words: /Invalid `?signature`? in `?thinking`? block/g, parts: ['thinking_blocks'], scope: 'request' },
  { words: /Expected `thinking`|thinking`? blocks in the latest/g, parts: ['thinking_blocks'], scope: 'request' },
  // The value is valid, but not beside another field, or not for this model.
  { words: /^`(\w+)` and `\w+` cannot both be specified/g, scope: 'request' },
  { words: /^`?(\w+)`? (?:may only be set to|is not supported when) /g, scope: 'value' },
  { words: /^`?(\w+)`?(?:: Extra inputs are not permitted| is deprecated for | is not supported for )/g },
];

/** Fields that decide what is answered. */
export const ESSENTIAL = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'tools',
  'tool_choice',
  'output_config',
  'thinking',
  'stop_sequences',
]);
