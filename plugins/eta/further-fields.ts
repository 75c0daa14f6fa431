import type { ChatRequest } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';

/** Fields of chat completions that the vendor has nothing like, so that it need not be asked. */
const UNKNOWN = new Set([
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'user',
  'safety_identifier',
  'store',
  'verbosity',
  'modalities',
  'prediction',
  'web_search_options',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);

/** Dealt with elsewhere. */
const MAPPED = new Set(['stream_options', 'parallel_tool_calls', 'thinking', 'output_config']);

const SERVICE_TIERS = new Set<unknown>(['auto', 'standard_only']);

/** The request's further fields: the vendor's own and unknown ones go as they are, for the vendor to decide. */
export function toFurtherFields({ extra }: ChatRequest, ignored: string[], makeError: MakeError): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(extra)) {
    if (MAPPED.has(name)) continue;
    if (name === 'functions' || name === 'function_call') {
      throw makeError('invalid_request', `${name} is out of date: use tools and tool_choice`, { param: name });
    }
    if (UNKNOWN.has(name) || !fits(name, value)) ignored.push(name);
    else fields[name] = value;
  }
  return fields;
}

/** Two fields have a name in common with the vendor's, and another meaning. */
function fits(name: string, value: unknown): boolean {
  if (name === 'service_tier') return SERVICE_TIERS.has(value);
  if (name === 'metadata') return isFields(value) && Object.keys(value).every((key) => key === 'user_id');
  return true;
}
