import type { ChatRequest } from 'drivebay/plugin';
import { CHAT_ONLY } from '../_shared/chat-completions/request-fields';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { refuseOldTools } from '../_shared/http/message-parts';

/** The vendor would refuse these fields: sending them would cost a request. */
const UNKNOWN = new Set([...CHAT_ONLY, 'seed', 'frequency_penalty', 'presence_penalty']);

/** Fields that other files of this driver read. */
const MAPPED = new Set(['stream_options', 'parallel_tool_calls', 'thinking', 'output_config']);

const SERVICE_TIERS = new Set<unknown>(['auto', 'standard_only']);

/** The request's further fields: the vendor's own and unknown ones go as they are, for the vendor to judge. */
export function toFurtherFields({ extra }: ChatRequest, ignored: string[], makeError: MakeError): Fields {
  refuseOldTools(extra, makeError);
  const fields: Fields = {};
  for (const [name, value] of Object.entries(extra)) {
    if (MAPPED.has(name)) continue;
    if (UNKNOWN.has(name) || !fits(name, value)) ignored.push(name);
    else fields[name] = value;
  }
  return fields;
}

/** Two fields have the name of a field of the vendor, and another meaning. */
function fits(name: string, value: unknown): boolean {
  if (name === 'service_tier') return SERVICE_TIERS.has(value);
  if (name === 'metadata') return isFields(value) && Object.keys(value).every((key) => key === 'user_id');
  return true;
}
