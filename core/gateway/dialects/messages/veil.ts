import type { ChatEvent } from '../../../contract/api';
import { type Fields, isFields, onlyFields } from '../../../fields';

/** The fields that every backend of this wire has. All other fields are the backend's own, and may reveal its name. */
const EVENT_FIELDS = new Set(['type', 'message', 'index', 'content_block', 'delta', 'usage']);
const MESSAGE_FIELDS = new Set(['type', 'role', 'content', 'stop_reason', 'stop_sequence', 'stop_details', 'usage']);
const USAGE_FIELDS = new Set([
  ...['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'cache_creation'],
  ...['server_tool_use', 'output_tokens_details'],
]);

/** An event for a client that must not know which backend answers: `id` takes the place of the one that the backend gave. */
export function veil(event: ChatEvent, id: string): ChatEvent {
  if (event.type !== 'native') return event;
  const { value } = event;
  if (value.type === 'message') return { ...event, value: veiledMessage(value, id) };
  const told = withPlainUsage(onlyFields(value, EVENT_FIELDS)!);
  if (isFields(told.message)) told.message = veiledMessage(told.message, id);
  return { ...event, value: told };
}

function veiledMessage(message: Fields, id: string): Fields {
  return { id, ...withPlainUsage(onlyFields(message, MESSAGE_FIELDS)!) };
}

function withPlainUsage(fields: Fields): Fields {
  return isFields(fields.usage) ? { ...fields, usage: onlyFields(fields.usage, USAGE_FIELDS) } : fields;
}
