import type { ContentPart, Message, ToolCallPart } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { refuseForeignCalls, saidBy, toArguments } from '../_shared/http/message-parts';
import { cacheControlOf, toBlocks, toCallId, toToolResult } from './content-block';
import type { Thoughts } from './thoughts';

export interface Turn {
  role: 'user' | 'assistant';
  content: Fields[];
}

interface Conversation {
  /** The texts of all system messages, wherever they stand: the vendor has one place for them. */
  system: Fields[];
  turns: Turn[];
  /** Whether reasoning had to be left out because its signature is gone. */
  hasLostReasoning: boolean;
}

interface Spelling {
  makeError: MakeError;
  thoughts: Thoughts;
  /** The vendor has refused the thinking blocks of this conversation. */
  withoutThoughts: boolean;
}

/**
 * Spells the messages as turns of the vendor. Messages of one role that follow each other make one turn, and so do the
 * results of tools with what the user says after them; results come first there, because the vendor wants them so.
 */
export function toConversation(messages: Message[], spelling: Spelling): Conversation {
  const conversation: Conversation = { system: [], turns: [], hasLostReasoning: false };
  messages.forEach((message, index) => addMessage(conversation, message, `messages[${index}]`, spelling));
  const { system, turns } = conversation;
  for (const turn of turns) if (turn.role === 'user') sortResultsFirst(turn);
  // The vendor answers turns only: instructions without a turn go as the user's.
  if (turns.length === 0 && system.length > 0) turns.push({ role: 'user', content: system.splice(0) });
  return conversation;
}

function addMessage(conversation: Conversation, message: Message, path: string, spelling: Spelling): void {
  switch (message.role) {
    case 'system':
    case 'developer':
      conversation.system.push(...blocksOf(message, path, spelling));
      break;
    case 'user':
      append(conversation.turns, 'user', blocksOf(message, path, spelling));
      break;
    case 'tool':
      append(conversation.turns, 'user', [toToolResult(message, path, spelling.makeError)]);
      break;
    case 'assistant': {
      const blocks = toAssistantBlocks(message, path, spelling);
      const hasReasoning = message.parts.some(({ type }) => type === 'reasoning');
      conversation.hasLostReasoning ||= hasReasoning && !isThought(blocks[0]);
      append(conversation.turns, 'assistant', blocks);
    }
  }
}

function blocksOf({ parts, extra }: Message, path: string, { makeError }: Spelling): Fields[] {
  const blocks = parts.flatMap((part, index) => toBlocks(part as ContentPart, `${path}.content[${index}]`, makeError));
  const last = blocks.pop();
  // A breakpoint on a whole message means its end.
  return last ? [...blocks, { ...last, ...cacheControlOf(extra) }] : [];
}

/** Spells an assistant's message: its thinking first, then what it said, then its calls. */
function toAssistantBlocks(message: Message, path: string, spelling: Spelling): Fields[] {
  refuseForeignCalls(message, path, spelling.makeError);
  const calls = message.parts.filter((part) => part.type === 'tool_call');
  const thoughts = spelling.withoutThoughts ? [] : thoughtsOf(message, calls, spelling);
  const said = saidBy(message).flatMap((part, index) =>
    toBlocks(part, `${path}.content[${index}]`, spelling.makeError),
  );
  const blocks = [...thoughts, ...said, ...calls.map(toToolUse)];
  const last = blocks.length > thoughts.length ? blocks.pop() : undefined;
  return last ? [...blocks, { ...last, ...cacheControlOf(message.extra) }] : blocks;
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

function append(turns: Turn[], role: Turn['role'], blocks: Fields[]): void {
  if (blocks.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else turns.push({ role, content: blocks });
}

function sortResultsFirst(turn: Turn): void {
  const isResult = ({ type }: Fields): boolean => type === 'tool_result';
  const results = turn.content.filter(isResult);
  if (results.length > 0) turn.content = [...results, ...turn.content.filter((block) => !isResult(block))];
}
