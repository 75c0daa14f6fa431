import { didYouMean } from '../config/did-you-mean';
import type { ChatEvent } from '../contract/api';

type FieldsOf<Type> = Record<Exclude<keyof Extract<ChatEvent, { type: Type }>, 'type'>, true>;

/** Records, so that the compiler complains when the contract gets a type or a field that is missing here. */
const FIELDS: { [Type in ChatEvent['type']]: FieldsOf<Type> } = {
  meta: { model: true, ignored: true, warm: true },
  text: { text: true, choice: true },
  reasoning: { text: true, extra: true, choice: true },
  reasoning_end: { extra: true, choice: true },
  tool_call: { index: true, id: true, name: true, arguments: true, extra: true, choice: true },
  activity: { tool: true, detail: true, choice: true },
  session: { state: true },
  extra: { delta: true, choiceFields: true, response: true, choice: true },
  native: { value: true },
  usage: {
    inputTokens: true,
    outputTokens: true,
    cachedInputTokens: true,
    cacheWriteInputTokens: true,
    longCacheWriteInputTokens: true,
    reasoningTokens: true,
    audioInputTokens: true,
    audioOutputTokens: true,
    imageOutputTokens: true,
    requests: true,
    costUsd: true,
    nominal: true,
    extra: true,
  },
  finish: { reason: true, stopSequence: true, choice: true },
};

/** The type of an event that the contract does not have, with the nearest one that it has. */
export function nameUnknownType(type: unknown): string {
  return nameUnknown(String(type), FIELDS);
}

/** The fields of an event that the contract does not have, each with the nearest one that it has. */
export function unknownFields(event: ChatEvent): string[] {
  const known = FIELDS[event.type];
  const names = Object.keys(event).filter((name) => name !== 'type' && !Object.hasOwn(known, name));
  return names.map((name) => nameUnknown(name, known));
}

function nameUnknown(name: string, known: object): string {
  const guess = didYouMean(name, Object.keys(known));
  return JSON.stringify(name.slice(0, 50)) + (guess === undefined ? '' : ` (did you mean ${JSON.stringify(guess)}?)`);
}
