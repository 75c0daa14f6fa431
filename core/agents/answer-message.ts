import type { AnswerFold } from '../contract/answer-fold';
import type { Message, Part, ToolCallPart } from '../contract/api';
import { defined } from '../fields';

/** The message of an answer for the history, with its signatures: the backend wants to see them again. */
export function toMessage({ text, reasoning, signatures, delta }: AnswerFold, calls: ToolCallPart[]): Message {
  const parts: Part[] = [];
  if (reasoning !== '' || signatures) parts.push(defined({ type: 'reasoning', text: reasoning, extra: signatures }));
  if (text !== '') parts.push({ type: 'text', text });
  return defined({ role: 'assistant', parts: [...parts, ...calls], extra: delta });
}
