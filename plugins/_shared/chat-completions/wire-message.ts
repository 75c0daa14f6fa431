import type { ContentPart, Message, ReasoningPart, ToolCallPart } from 'drivebay/plugin';
import { addFurther, isFields, listOf, type Fields } from '../fields';
import { isContent } from '../http/message-parts';

export interface MessageDialect {
  developerRole: 'system' | 'developer';
  /** Whether the text of reasoning of earlier turns may be sent. */
  takesReasoning: boolean;
}

/** Spells a message the way it came from the client. */
export function toWireMessage(message: Message, dialect: MessageDialect): Fields {
  const { parts, name, extra } = message;
  const role = message.role === 'developer' ? dialect.developerRole : message.role;
  const fields: Fields = { role, name };
  const result = parts.find((part) => part.type === 'tool_result');
  const content = result ? result.content : parts.filter(isContent);
  if (result) fields.tool_call_id = result.callId;
  if (result || message.role !== 'assistant') fields.content = toWireContent(content);
  else addAnswer(fields, message, content, dialect);
  return extra ? addFurther(fields, extra) : fields;
}

/** What an assistant has said, thought and called. */
function addAnswer(fields: Fields, { parts, extra }: Message, content: ContentPart[], dialect: MessageDialect): void {
  const calls = parts.filter((part) => part.type === 'tool_call');
  const isSilent = content.length === 0 && (calls.length > 0 || extra !== undefined);
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  // Some servers refuse the turn after a tool call when the reasoning that led to it is missing.
  const text = dialect.takesReasoning ? reasoning.map((part) => part.text).join('') : '';
  if (text !== '') fields.reasoning_content = text;
  addState(fields, reasoning);
  fields.content = isSilent ? null : toWireContent(content);
  if (calls.length > 0) fields.tool_calls = calls.map(toWireToolCall);
}

/** One plain text goes as a string: servers that know no parts can read it. */
function toWireContent(parts: ContentPart[]): string | Fields[] {
  const [first] = parts;
  if (!first) return '';
  if (parts.length === 1 && first.type === 'text' && !first.extra) return first.text;
  return parts.map(toWirePart);
}

function toWirePart(part: ContentPart): Fields {
  switch (part.type) {
    case 'text':
      return { ...part.extra, type: 'text', text: part.text };
    case 'image':
      return { ...part.extra, type: 'image_url', image_url: { url: part.url, detail: part.detail } };
    case 'audio':
      return { ...part.extra, type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file':
      return {
        ...part.extra,
        type: 'file',
        file: { file_data: part.data, file_id: part.id, filename: part.filename },
      };
    case 'other':
      return part.value;
  }
}

/** What the server wants back, as it gave it. */
function addState(fields: Fields, parts: ReasoningPart[]): void {
  for (const { extra = {} } of parts) {
    for (const [name, value] of Object.entries(extra)) {
      const before = fields[name];
      fields[name] = Array.isArray(value) ? [...listOf(before), ...(value as unknown[])] : value;
    }
  }
}

function toWireToolCall({ id, name, arguments: text, extra }: ToolCallPart): Fields {
  const further = isFields(extra?.function) ? extra.function : {};
  return { ...extra, id, type: 'function', function: { ...further, name, arguments: text } };
}
