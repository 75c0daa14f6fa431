import type { ChatEvent } from '../../../contract/api';
import { isFields } from '../../../fields';
import type { ResponseHead } from './response-head';

/** An event for a client that must not know which backend answers. */
export function veil(event: ChatEvent, head: ResponseHead): ChatEvent {
  if (event.type !== 'native') return event;
  const { value } = event;
  if (value.object === 'response') return { ...event, value: head.veil(value) };
  if (isFields(value.response)) return { ...event, value: { ...value, response: head.veil(value.response) } };
  // The driver fails with it, in words that the gateway has veiled.
  if (value.type === 'error') return { ...event, value: { ...value, message: 'no target has answered' } };
  return event;
}
