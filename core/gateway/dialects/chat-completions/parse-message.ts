import type { ContentPart, Message, Part } from '../../../contract/api';
import { defined } from '../../../fields';
import { wrongField } from '../../read-fields';
import { ifText, listAt, objectAt, textAt } from '../../value-at';

type Wire = Record<string, unknown>;

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Reads one message. Fields that are not known here are kept in `extra`. */
export function parseMessage(value: unknown, index: number): Message {
  const path = `messages[${index}]`;
  const message = objectAt(path, value);
  const role = message.role as Message['role'];
  if (!ROLES.has(role)) throw wrongField(`${path}.role`, role, `one of ${[...ROLES].join(', ')}`);
  const { role: _role, content, name, ...rest } = message;
  const parsed: Message = { role, parts: [] };
  if (name != null) parsed.name = textAt(`${path}.name`, name);

  if (role === 'tool') {
    const callId = textAt(`${path}.tool_call_id`, rest.tool_call_id);
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
    const calls = listAt(`${path}.tool_calls`, rest.tool_calls);
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
  const { id, type: _type, function: definition, ...rest } = objectAt(path, value);
  const { name, arguments: given, ...unknown } = objectAt(`${path}.function`, definition);
  const call: Part = {
    type: 'tool_call',
    id: textAt(`${path}.id`, id),
    name: textAt(`${path}.function.name`, name),
    arguments: given == null ? '' : textAt(`${path}.function.arguments`, given),
  };
  return withExtra(call, Object.keys(unknown).length > 0 ? { ...rest, function: unknown } : rest);
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
  const { type: _, [type]: content, ...rest } = part;
  return withExtra(CONTENT_PARTS[type]!(content, `${path}.${type}`), rest);
}

/** By type. The content of a part is in the field of the same name. */
const CONTENT_PARTS: Record<string, (content: unknown, path: string) => ContentPart> = {
  text: (content, path) => ({ type: 'text', text: textAt(path, content) }),
  image_url(content, path) {
    const { url, detail } = objectAt(path, content);
    return defined<ContentPart>({ type: 'image', url: textAt(`${path}.url`, url), detail: ifText(detail) });
  },
  input_audio(content, path) {
    const { data, format } = objectAt(path, content);
    return { type: 'audio', data: textAt(`${path}.data`, data), format: textAt(`${path}.format`, format) };
  },
  file(content, path) {
    const { file_data, file_id, filename } = objectAt(path, content);
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
