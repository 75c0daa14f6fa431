import type { Message } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import type { MakeError } from './answer-error';
import { cacheControlOf, toBlocks } from './content-block';

const UNUSABLE = /[^a-zA-Z0-9_-]/g;

/** Ids of calls that another vendor's model made, earlier in the conversation, may hold what this one does not take. */
export function toCallId(id: string): string {
  return id.replace(UNUSABLE, '_');
}

/** The message of a tool as the block of a user's turn. */
export function toToolResult({ parts, extra }: Message, path: string, makeError: MakeError): Fields {
  const result = parts.find((part) => part.type === 'tool_result');
  if (!result) throw makeError('invalid_request', 'a message of a tool has a result', { param: path });
  const [first] = result.content;
  const isPlain = result.content.length === 1 && first?.type === 'text' && !first.extra;
  const content = isPlain
    ? first.text
    : result.content.flatMap((part, index) => toBlocks(part, `${path}.content[${index}]`, makeError));
  return {
    type: 'tool_result',
    tool_use_id: toCallId(result.callId),
    ...(content.length > 0 && { content }),
    ...(typeof extra?.is_error === 'boolean' && { is_error: extra.is_error }),
    ...cacheControlOf(extra),
  };
}
