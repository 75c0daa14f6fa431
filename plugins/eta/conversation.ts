import type { ContentPart, Message } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { toAssistantBlocks } from './assistant-blocks';
import { cacheControlOf, toBlocks, toToolResult } from './content-block';
import type { Thoughts } from './thoughts';

export interface Turn {
  role: 'user' | 'assistant';
  content: Fields[];
}

export interface Conversation {
  /** The texts of all system messages, wherever they stand: the vendor has one place for them. */
  system: Fields[];
  turns: Turn[];
  /** Whether reasoning had to be left out because its signature is gone. */
  hasLostReasoning: boolean;
}

export interface Spelling {
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
      const { blocks, hasLostReasoning } = toAssistantBlocks(message, path, spelling);
      conversation.hasLostReasoning ||= hasLostReasoning;
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
