import type { ContentPart, ToolResultPart } from 'drivebay/plugin';
import type { Part } from '@google/genai';
import { spelled, textOf } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { readDataUrl } from '../_shared/http/message-parts';
import { toVendorId } from './call-marks';

/** Files of the vendor's own store. It fetches no other address. */
const STORED_FILE = /^https:\/\/generativelanguage\.googleapis\.com\/v[^/]+\/files\/|^files\//;

/** Spells a part the vendor's way; undefined for an empty text, which it refuses. `param` is the part's place. */
export function toPart(part: ContentPart, param: string, makeError: MakeError): Part | undefined {
  switch (part.type) {
    case 'text':
      return part.text === '' ? undefined : { text: part.text };
    case 'image':
      return toInlineData(part.url) ?? toStoredFile(part.url) ?? refuse('an image', param, makeError);
    case 'audio':
      return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } };
    case 'file':
      return toInlineData(part.data) ?? toStoredFile(part.id ?? part.data) ?? refuse('a file', param, makeError);
    case 'other': {
      const refusal = part.value.type === 'refusal' ? textOf(part.value.refusal) : undefined;
      if (refusal !== undefined) return { text: refusal };
      throw makeError('invalid_request', `parts of the type "${spelled(part.value.type)}" cannot be sent`, { param });
    }
  }
}

function toInlineData(url = ''): Part | undefined {
  const content = readDataUrl(url);
  return content && { inlineData: { mimeType: content.mediaType, data: content.data } };
}

function toStoredFile(uri: string | undefined): Part | undefined {
  return uri !== undefined && STORED_FILE.test(uri) ? { fileData: { fileUri: uri } } : undefined;
}

function refuse(what: string, param: string, makeError: MakeError): never {
  throw makeError('invalid_request', `${what} must be a data: URL with base64 content: the vendor fetches no address`, {
    param,
    hint: 'send the content itself, as data:<type>;base64,<content>',
  });
}

/** Spells the result of a call to the function of that name: its texts as one, everything else beside them. */
export function toToolResult(
  name: string,
  { callId, content }: ToolResultPart,
  path: string,
  makeError: MakeError,
): Part {
  const parts = content.flatMap((part, index) => {
    return part.type === 'text' ? [] : (toPart(part, `${path}.content[${index}]`, makeError) ?? []);
  });
  const output = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const id = toVendorId(callId);
  return { functionResponse: { name, response: { output }, id, parts: parts.length > 0 ? parts : undefined } };
}
