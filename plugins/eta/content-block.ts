import type { ContentPart, Message } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { readDataUrl } from '../_shared/http/message-parts';

type File = Extract<ContentPart, { type: 'file' }>;

/** Spells a part of a message as a block; a text of nothing but white space makes none. `path` names it in errors. */
export function toBlocks(part: ContentPart, path: string, makeError: MakeError): Fields[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...cacheControlOf(part.extra) }];
    case 'image':
      return [{ ...toImage(part.url, path, makeError), ...cacheControlOf(part.extra) }];
    case 'file':
      return [{ ...toDocument(part, path, makeError), ...cacheControlOf(part.extra) }];
    case 'audio':
      throw makeError('invalid_request', 'this driver takes no audio', { param: path });
    case 'other':
      // A refusal is a text of the assistant in chat completions; the vendor judges parts of other types.
      return part.value.type === 'refusal' ? toRefusal(part.value) : [part.value];
  }
}

/** A breakpoint that the client has set itself. */
export function cacheControlOf(extra: Fields | undefined): Fields {
  return isFields(extra?.cache_control) ? { cache_control: extra.cache_control } : {};
}

function toRefusal(value: Fields): Fields[] {
  const text = textOf(value.refusal);
  return text === undefined || isBlank(text) ? [] : [{ type: 'text', text }];
}

function toImage(url: string, path: string, makeError: MakeError): Fields {
  if (/^https?:\/\//i.test(url)) return { type: 'image', source: { type: 'url', url } };
  const content = readDataUrl(url);
  if (!content) {
    const message = 'an image is an http(s) URL, or a data: URL with a media type and base64 content';
    throw makeError('invalid_request', message, { param: path });
  }
  return { type: content.mediaType === 'application/pdf' ? 'document' : 'image', source: toSource(content) };
}

function toDocument({ data, id, filename }: File, path: string, makeError: MakeError): Fields {
  const title = filename === undefined ? {} : { title: filename };
  if (id !== undefined) return { type: 'document', source: { type: 'file', file_id: id }, ...title };
  if (data === undefined) throw makeError('invalid_request', 'a file has file_data or file_id', { param: path });
  if (/^https?:\/\//i.test(data)) return { type: 'document', source: { type: 'url', url: data }, ...title };
  const content = readDataUrl(data) ?? { mediaType: 'application/pdf', data };
  if (content.mediaType.startsWith('image/')) return { type: 'image', source: toSource(content) };
  if (!content.mediaType.startsWith('text/')) return { type: 'document', source: toSource(content), ...title };
  const text = Buffer.from(content.data, 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
}

function toSource({ mediaType, data }: { mediaType: string; data: string }): Fields {
  return { type: 'base64', media_type: mediaType, data };
}

/** The vendor refuses texts of nothing but white space. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The id of a call that another vendor's model made may hold characters that this vendor refuses. */
export function toCallId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
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
    content: content.length > 0 ? content : undefined,
    is_error: typeof extra?.is_error === 'boolean' ? extra.is_error : undefined,
    ...cacheControlOf(extra),
  };
}
