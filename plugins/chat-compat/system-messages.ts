import type { Message } from 'drivebay/plugin';
import { isInstruction, joinTexts } from '../_shared/http/message-parts';
import type { LeftOut, Refusal } from '../_shared/http/refusals';

const ROLE = 'the system role';
const FURTHER = 'further system messages';

/** What chat templates say of system messages; some servers take that for their own failure. `systemParts` are the parts of a request that they mean. */
export const SYSTEM_REFUSALS: readonly Refusal[] = [
  { words: /system role (?:is )?not supported|role "?system"? is not supported/gi, parts: [ROLE], status: 500 },
  { words: /system message must (?:be|come) (?:at )?(?:the )?(?:beginning|first)/gi, parts: [FURTHER], status: 500 },
  { words: /(?:only|at most) one system message|multiple system messages/gi, parts: [FURTHER], status: 500 },
];

/** The messages as the model's template takes them. Those that nothing was refused of stay as they are. */
export function fitSystemMessages(messages: Message[], without: LeftOut): Message[] {
  const isJoined = without.has(FURTHER);
  if (!isJoined && !without.has(ROLE)) return messages;
  const others = messages.filter((message) => !isInstruction(message));
  const parts = joinTexts(messages.filter(isInstruction).flatMap((message) => message.parts));
  if (parts.length === 0) return messages;
  if (!without.has(ROLE)) return [{ role: 'system', parts }, ...others];
  const [first, ...rest] = others;
  if (first?.role !== 'user') return [{ role: 'user', parts }, ...others];
  return [{ ...first, parts: joinTexts([...parts, ...first.parts]) }, ...rest];
}

export function systemParts(messages: Message[]): Record<string, unknown> {
  const places = messages.flatMap((message, index) => (isInstruction(message) ? [index] : []));
  const last = places.at(-1);
  return {
    [ROLE]: last === undefined ? undefined : true,
    [FURTHER]: last === undefined || last === 0 ? undefined : true,
  };
}
