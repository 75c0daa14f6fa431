import type { Fields } from '../_shared/fields';
import type { ModelMemory } from './model-memory';
import { SAMPLING } from './sampling';

/** Fields of the chat-completions wire that the vendor has nothing for: sending them would cost a request. */
const WITHOUT_PLACE = new Set([
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'metadata',
  'moderation',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
]);

/** Splits the fields that the contract has no name for: those we translate, and those that go to the vendor as they are. */
export function splitExtra(fields: Fields, memory: ModelMemory, ignored: string[]): Record<'known' | 'extra', Fields> {
  const split: Record<'known' | 'extra', Fields> = { known: {}, extra: {} };
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(SAMPLING, name)) split.known[name] = value;
    else if (saysNothing(name, value)) continue;
    else if (WITHOUT_PLACE.has(name) || name === 'parallel_tool_calls' || name === 'modalities') ignored.push(name);
    else if (memory.fields.has(name)) ignored.push(name);
    else split.extra[name] = value;
  }
  return split;
}

/** The gateway's own field, and values that ask for what happens anyway. */
function saysNothing(name: string, value: unknown): boolean {
  switch (name) {
    case 'stream_options':
      return true;
    case 'parallel_tool_calls':
      return value === true;
    case 'logprobs':
    case 'store':
      return value === false;
    case 'modalities':
      return Array.isArray(value) && value.every((each) => each === 'text');
    default:
      return false;
  }
}
