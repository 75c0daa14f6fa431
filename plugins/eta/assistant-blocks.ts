import type { Message, ToolCallPart } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import { refuseForeignCalls, saidBy, toArguments } from '../_shared/http/message-parts';
import { cacheControlOf, toBlocks, toCallId } from './content-block';
import type { Spelling } from './conversation';

/** Spells an assistant's message: its thinking first, then what it said, then its calls. */
export function toAssistantBlocks(
  message: Message,
  path: string,
  spelling: Spelling,
): { blocks: Fields[]; hasLostReasoning: boolean } {
  const { parts, extra } = message;
  refuseForeignCalls(message, path, spelling.makeError);
  const calls = parts.filter((part) => part.type === 'tool_call');
  const thoughts = spelling.withoutThoughts ? [] : thoughtsOf(message, calls, spelling);
  const said = saidBy(message).flatMap((part, index) =>
    toBlocks(part, `${path}.content[${index}]`, spelling.makeError),
  );
  const blocks = [...thoughts, ...said, ...calls.map(toToolUse)];
  const last = blocks.length > thoughts.length ? blocks.pop() : undefined;
  if (last) blocks.push({ ...last, ...cacheControlOf(extra) });
  return {
    blocks,
    hasLostReasoning: thoughts.length === 0 && parts.some(({ type }) => type === 'reasoning'),
  };
}

/** Thinking as the client kept it, with the message or with its parts; else as the driver remembers it. */
function thoughtsOf({ parts, extra }: Message, calls: ToolCallPart[], { thoughts }: Spelling): Fields[] {
  const kept = [extra, ...parts.map((part) => ('extra' in part ? part.extra : undefined))].flatMap((fields) =>
    Array.isArray(fields?.thinking_blocks) ? fields.thinking_blocks.filter(isThought) : [],
  );
  return kept.length > 0 ? kept : thoughts.recall(calls.map(({ id }) => id));
}

function isThought(block: unknown): block is Fields {
  return isFields(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

function toToolUse({ id, name, arguments: text, extra }: ToolCallPart): Fields {
  return { type: 'tool_use', id: toCallId(id), name, input: toArguments(text), ...cacheControlOf(extra) };
}
