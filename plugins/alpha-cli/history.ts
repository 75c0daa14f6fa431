import { randomUUID } from 'node:crypto';
import type { ContentPart, Message } from 'drivebay/plugin';
import { type Fields, parseJson } from '../_shared/fields';
import { isInstruction, readDataUrl } from '../_shared/http/message-parts';

/** A turn of a conversation, as the program takes it. */
export interface Turn {
  role: 'user' | 'assistant';
  content: Fields[];
}

/**
 * The messages as turns of a user and a model, system messages left out. Undefined where they do not fit: then they are
 * laid out as one text. The last turn is the user's, and each call of a tool has its result in the next turn.
 */
export function toTurns(messages: readonly Message[]): Turn[] | undefined {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (isInstruction(message)) continue;
    const isNamed = message.name !== undefined && message.role !== 'tool';
    const content = isNamed ? undefined : contentOf(message);
    if (!content) return undefined;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  // The API wants them before what the user says in the same turn. Some clients say something in between.
  for (const { content } of turns) content.sort((one, other) => Number(isResult(other)) - Number(isResult(one)));
  return turns.length > 0 && areWhole(turns) ? turns : undefined;
}

export function userLine({ content }: Pick<Turn, 'content'>, asks: boolean): Fields {
  const message = { role: 'user', content };
  return { type: 'user', message, parent_tool_use_id: null, ...(!asks && { shouldQuery: false }) };
}

/** Some versions join messages that have the same id. */
export function assistantLine({ content }: Turn, model: string | undefined): Fields {
  const message = { id: `msg_${randomUUID()}`, role: 'assistant', model, content };
  return { type: 'assistant', message, parent_tool_use_id: null };
}

/** A text of a user that begins with a slash would be a command of the program. */
export function textBlock(text: string): Fields {
  return { type: 'text', text: text.startsWith('/') ? `\n${text}` : text };
}

function isResult({ type }: Fields): boolean {
  return type === 'tool_result';
}

function contentOf({ role, parts }: Message): Fields[] | undefined {
  const content: Fields[] = [];
  for (const part of parts) {
    if (part.type === 'reasoning') continue;
    if (part.type === 'tool_call') {
      const input = part.arguments === '' ? {} : parseJson(part.arguments);
      if (!input) return undefined;
      content.push({ type: 'tool_use', id: part.id, name: part.name, input });
    } else if (part.type === 'tool_result') {
      const result = blocksOf(part.content);
      if (!result) return undefined;
      content.push({ type: 'tool_result', tool_use_id: part.callId, content: result });
    } else {
      const blocks = blocksOf([part]);
      if (!blocks) return undefined;
      content.push(...(role === 'user' ? blocks.map(asText) : blocks));
    }
  }
  return content.length > 0 ? content : undefined;
}

/** Undefined where a part is neither text nor an image. The API takes no texts of nothing but white space. */
function blocksOf(parts: readonly ContentPart[]): Fields[] | undefined {
  const blocks: Fields[] = [];
  for (const part of parts) {
    const source = part.type === 'image' ? imageSource(part.url) : undefined;
    if (source) blocks.push({ type: 'image', source });
    else if (part.type !== 'text') return undefined;
    else if (part.text.trim() !== '') blocks.push({ type: 'text', text: part.text });
  }
  return blocks;
}

function asText(block: Fields): Fields {
  return typeof block.text === 'string' ? textBlock(block.text) : block;
}

function imageSource(url: string): Fields | undefined {
  const content = readDataUrl(url);
  if (content) return { type: 'base64', media_type: content.mediaType, data: content.data };
  return /^https?:/i.test(url) ? { type: 'url', url } : undefined;
}

function areWhole(turns: readonly Turn[]): boolean {
  if (turns[0]!.role !== 'user' || turns.at(-1)!.role !== 'user') return false;
  return turns.every(({ role, content }, index) => {
    const next = role === 'assistant' ? turns[index + 1]! : undefined;
    const before = role === 'user' ? turns[index - 1] : undefined;
    const called = idsOf(next ? content : (before?.content ?? []), 'tool_use', 'id');
    const answered = idsOf(next ? next.content : content, 'tool_result', 'tool_use_id');
    return called.length === answered.length && called.every((id) => answered.includes(id));
  });
}

function idsOf(content: readonly Fields[], type: string, name: string): unknown[] {
  return content.filter((block) => block.type === type).map((block) => block[name]);
}
