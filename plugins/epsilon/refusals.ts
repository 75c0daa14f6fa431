import type { Refusal } from '../_shared/http/refusals';
import { WISH_REFUSALS } from '../_shared/http/wishes';

/** The sentences of the vendor, its Azure service and proxies, as recorded in test/plugins/recorded-refusals.ts. */
export const REFUSALS: readonly Refusal[] = [
  ...WISH_REFUSALS,
  { words: /^unsupported_value (\w+): .*supported values are/gi, scope: 'value' },
  { words: /^(?:unsupported_parameter|unsupported_value|unknown_parameter) (\w+)/g },
  { words: /(?:Unsupported|Unknown) parameter: '(\w+)'|Unsupported value: '(\w+)' does not/g },
  { words: /Unrecognized request arguments? supplied: (\w+)/g },
];

/** Fields that decide what is answered. */
export const ESSENTIAL = new Set([
  'model',
  'messages',
  'stream',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'response_format',
  'n',
  'modalities',
  'audio',
  'reasoning_effort',
  'input',
  'dimensions',
  // The older name of the limit: the driver has tried the younger one.
  'max_tokens',
]);
