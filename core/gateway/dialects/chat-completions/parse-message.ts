import type { ContentPart, Message, Part, ToolCallPart } from '../../../contract/api';
import { defined, type Fields } from '../../../fields';
import { wrongField } from '../../read-fields';
import { asDataUrl } from '../../file-data';
import { ifText, listAt, objectAt, textAt } from '../../value-at';

type KnownPart = Exclude<ContentPart, { type: 'other' }>;

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Reads one message. Fields that are not known here are kept in `extra`. */
export function parseMessage(value: unknown, index: number): Message {
  const path = `messages[${index}]`;
  const message = objectAt(path, value);
  const { content, name } = message;
  const role = message.role as Message['role'];
  if (!ROLES.has(role)) throw wrongField(`${path}.role`, role, `one of ${[...ROLES].join(', ')}`);
  const parsed: Message = { role, parts: [] };
  if (name != null) parsed.name = textAt(`${path}.name`, name);

  if (role === 'tool') {
    const callId = textAt(`${path}.tool_call_id`, message.tool_call_id);
    parsed.parts = [{ type: 'tool_result', callId, content: parseContent(content, path) }];
  } else if (role === 'assistant') {
    parsed.parts = assistantParts(message, path);
  } else {
    if (content == null) throw wrongField(`${path}.content`, content, CONTENT);
    parsed.parts = parseContent(content, path);
  }
  return withExtra(
    parsed,
    unreadFields(message, (field) => isRead(field, message)),
  );
}

/** Whether the parts of a message, or its own fields, say what this field does. */
function isRead(name: string, { role, [name]: value }: Fields): boolean {
  switch (name) {
    case 'role':
    case 'content':
    case 'name':
      return true;
    case 'tool_call_id':
      return role === 'tool';
    case 'reasoning_content':
    case 'reasoning':
      return role === 'assistant' && typeof value === 'string';
    case 'tool_calls':
      return role === 'assistant' && !(value as unknown[]).some(isForeignCall);
    default:
      return false;
  }
}

function assistantParts({ content, reasoning_content, reasoning, tool_calls }: Fields, path: string): Part[] {
  const parts: Part[] = [];
  // Vendors use either name. A message with both has the same text twice.
  const thought = ifText(reasoning_content) || ifText(reasoning);
  if (thought) parts.push({ type: 'reasoning', text: thought });
  if (content != null) parts.push(...parseContent(content, path));
  if (tool_calls == null) return parts;
  const calls = listAt(`${path}.tool_calls`, tool_calls);
  // With a call of an unknown kind, all calls stay in `extra`, so that they keep their order.
  if (calls.some(isForeignCall)) return parts;
  parts.push(...calls.map((call, index) => parseToolCall(call, `${path}.tool_calls[${index}]`)));
  return parts;
}

function isForeignCall(call: unknown): boolean {
  return typeof call === 'object' && call !== null && 'type' in call && call.type !== 'function';
}

function parseToolCall(value: unknown, path: string): Part {
  const call = objectAt(path, value);
  const { name, arguments: given, ...unknown } = objectAt(`${path}.function`, call.function);
  const parsed: ToolCallPart = {
    type: 'tool_call',
    id: textAt(`${path}.id`, call.id),
    name: textAt(`${path}.function.name`, name),
    arguments: given == null ? '' : textAt(`${path}.function.arguments`, given),
  };
  const extra = unreadFields(call, (field) => field === 'id' || field === 'type' || field === 'function');
  return withExtra(parsed, Object.keys(unknown).length > 0 ? { ...extra, function: unknown } : extra);
}

function parseContent(content: unknown, path: string): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content == null) return [];
  return listAt(`${path}.content`, content, CONTENT).map((part, index) => parsePart(part, `${path}.content[${index}]`));
}

function parsePart(value: unknown, path: string): ContentPart {
  const part = objectAt(path, value);
  const type = textAt(`${path}.type`, part.type);
  if (!Object.hasOwn(CONTENT_PARTS, type)) return { type: 'other', value: part };
  const content = CONTENT_PARTS[type]!(part[type], `${path}.${type}`);
  return withExtra(
    content,
    unreadFields(part, (field) => field === 'type' || field === type),
  );
}

/** By type. The content of a part is in the field of the same name. */
const CONTENT_PARTS: Record<string, (content: unknown, path: string) => KnownPart> = {
  text: (content, path) => ({ type: 'text', text: textAt(path, content) }),
  image_url(content, path) {
    const { url, detail } = objectAt(path, content);
    return defined<KnownPart>({ type: 'image', url: textAt(`${path}.url`, url), detail: ifText(detail) });
  },
  input_audio(content, path) {
    const { data, format } = objectAt(path, content);
    return { type: 'audio', data: textAt(`${path}.data`, data), format: textAt(`${path}.format`, format) };
  },
  file(content, path) {
    const { file_data, file_id, filename } = objectAt(path, content);
    const data = ifText(file_data);
    return defined<KnownPart>({
      type: 'file',
      data: data && asDataUrl(data),
      id: ifText(file_id),
      filename: ifText(filename),
    });
  },
};

/** Adds fields to a part or a message that was made here. */
function withExtra<T extends { extra?: Fields }>(target: T, extra: Fields | undefined): T {
  if (extra) target.extra = extra;
  return target;
}

/** Fields that are not read here, for `extra`; undefined where there are none. `null` counts as absent. */
export function unreadFields(fields: Fields, isRead: (name: string) => boolean): Fields | undefined {
  let unread: Fields | undefined;
  for (const name in fields) {
    if (fields[name] == null || name === '__proto__' || isRead(name)) continue;
    (unread ??= {})[name] = fields[name];
  }
  return unread;
}

const CONTENT = 'a text or a list of parts';
