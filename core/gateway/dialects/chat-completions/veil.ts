import type { ChatEvent } from '../../../contract/api';
import { onlyFields } from '../../../fields';

/** What this wire has beside the fields that the contract knows. Whatever else a backend adds may name it. */
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
