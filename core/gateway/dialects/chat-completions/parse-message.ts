import type { ContentPart, Message, Part } from '../../../contract/api';
import { defined, isFields } from '../../../fields';
import { wrongField } from '../../read-fields';

type Wire = Record<string, unknown>;

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Reads one message. Fields that are not known here are kept in `extra`. */
export function parseMessage(value: unknown, index: number): Message {
  const path = `messages[${index}]`;
  const message = object(value, path);
  const role = message.role as Message['role'];
  if (!ROLES.has(role)) throw wrongField(`${path}.role`, role, `one of ${[...ROLES].join(', ')}`);
  const { role: _role, content, name, ...rest } = message;
  const parsed: Message = { role, parts: [] };
  if (name != null) parsed.name = text(name, `${path}.name`);

  if (role === 'tool') {
    const callId = text(rest.tool_call_id, `${path}.tool_call_id`);
    delete rest.tool_call_id;
    parsed.parts = [{ type: 'tool_result', callId, content: parseContent(content, path) }];
  } else if (role === 'assistant') {
    parsed.parts = assistantParts(content, rest, path);
  } else {
    if (content == null) throw wrongField(`${path}.content`, content, CONTENT);
    parsed.parts = parseContent(content, path);
  }
  return withExtra(parsed, rest);
}

/** Removes from `rest` the fields that it reads. */
function assistantParts(content: unknown, rest: Wire, path: string): Part[] {
  const parts: Part[] = [];
  // Vendors use either name. A message with both has the same text twice.
  for (const name of ['reasoning_content', 'reasoning']) {
    if (typeof rest[name] !== 'string') continue;
    if (parts.length === 0 && rest[name] !== '') parts.push({ type: 'reasoning', text: rest[name] });
    delete rest[name];
  }
  if (content != null) parts.push(...parseContent(content, path));
  if (rest.tool_calls != null) {
    const calls = list(rest.tool_calls, `${path}.tool_calls`);
    // With a call of an unknown kind, all calls stay in `extra`, so that they keep their order.
    if (calls.some(isForeignCall)) return parts;
    parts.push(...calls.map((call, index) => parseToolCall(call, `${path}.tool_calls[${index}]`)));
  }
  delete rest.tool_calls;
  return parts;
}

function isForeignCall(call: unknown): boolean {
  return typeof call === 'object' && call !== null && 'type' in call && call.type !== 'function';
}

function parseToolCall(value: unknown, path: string): Part {
  const { id, type: _type, function: definition, ...rest } = object(value, path);
  const { name, arguments: given, ...unknown } = object(definition, `${path}.function`);
  const call: Part = {
    type: 'tool_call',
    id: text(id, `${path}.id`),
    name: text(name, `${path}.function.name`),
    arguments: given == null ? '' : text(given, `${path}.function.arguments`),
  };
  return withExtra(call, Object.keys(unknown).length > 0 ? { ...rest, function: unknown } : rest);
}

function parseContent(content: unknown, path: string): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content == null) return [];
  return list(content, `${path}.content`, CONTENT).map((part, index) => parsePart(part, `${path}.content[${index}]`));
}

function parsePart(value: unknown, path: string): ContentPart {
  const part = object(value, path);
  const type = text(part.type, `${path}.type`);
  if (!Object.hasOwn(CONTENT_PARTS, type)) return { type: 'other', value: part };
  const { type: _, [type]: content, ...rest } = part;
  return withExtra(CONTENT_PARTS[type]!(content, `${path}.${type}`), rest);
}

/** By type. The content of a part is in the field of the same name. */
const CONTENT_PARTS: Record<string, (content: unknown, path: string) => ContentPart> = {
  text: (content, path) => ({ type: 'text', text: text(content, path) }),
  image_url(content, path) {
    const { url, detail } = object(content, path);
    return defined<ContentPart>({ type: 'image', url: text(url, `${path}.url`), detail: ifText(detail) });
  },
  input_audio(content, path) {
    const { data, format } = object(content, path);
    return { type: 'audio', data: text(data, `${path}.data`), format: text(format, `${path}.format`) };
  },
  file(content, path) {
    const { file_data, file_id, filename } = object(content, path);
    return defined<ContentPart>({
      type: 'file',
      data: ifText(file_data),
      id: ifText(file_id),
      filename: ifText(filename),
    });
  },
};

function withExtra<T extends object>(target: T, rest: Wire): T {
  const extra = withoutNulls(rest);
  return Object.keys(extra).length > 0 ? { ...target, extra } : target;
}

/** Fields that are not known here, for `extra`. `null` counts as absent. */
export function withoutNulls(fields: Wire): Wire {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value != null && name !== '__proto__'));
}

const CONTENT = 'a text or a list of parts';

function object(value: unknown, path: string): Wire {
  if (isFields(value)) return value;
  throw wrongField(path, value, 'an object');
}

function list(value: unknown, path: string, expected = 'a list'): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw wrongField(path, value, expected);
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw wrongField(path, value, 'a text');
}

function ifText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
