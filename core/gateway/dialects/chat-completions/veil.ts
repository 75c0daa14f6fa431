import type { ChatEvent } from '../../../contract/api';
import { onlyFields } from '../../../fields';

/** Fields of this wire that the contract does not know. All other fields are the backend's own, and may reveal its name. */
const CHOICE_FIELDS = new Set(['logprobs']);
const DELTA_FIELDS = new Set(['refusal', 'annotations', 'audio']);

/** An event for a client that must not know which backend answers. */
export function veil(event: ChatEvent): ChatEvent {
  if (event.type === 'usage' && event.extra) return { ...event, extra: undefined };
  if (event.type !== 'extra') return event;
  return {
    ...event,
    response: undefined,
    delta: onlyFields(event.delta, DELTA_FIELDS),
    choiceFields: onlyFields(event.choiceFields, CHOICE_FIELDS),
  };
}
