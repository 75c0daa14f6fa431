import type { ContentPart, DriverContext, Message, Part } from 'drivebay/plugin';
import { textOf } from '../fields';

export function isContent(part: Part): part is ContentPart {
  return part.type !== 'reasoning' && part.type !== 'tool_call' && part.type !== 'tool_result';
}

/** What an assistant said: its content, and the refusal that this wire has beside it. */
export function saidBy({ parts, extra }: Message): ContentPart[] {
  const content = parts.filter(isContent);
  const refusal = textOf(extra?.refusal);
  return refusal === undefined ? content : [...content, { type: 'other', value: { type: 'refusal', refusal } }];
}

/** Throws for calls in a message that are no calls of function tools. Without them the answer would be to something else. */
export function refuseForeignCalls({ extra }: Message, path: string, makeError: DriverContext['error']): void {
  for (const name of ['tool_calls', 'function_call']) {
    if (!extra?.[name]) continue;
    throw makeError('invalid_request', 'only calls of functions are known to this vendor', {
      param: `${path}.${name}`,
    });
  }
}
