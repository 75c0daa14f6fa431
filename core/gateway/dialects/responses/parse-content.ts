import type { ContentPart } from '../../../contract/api';
import { defined, type Fields, isFields } from '../../../fields';
import { asDataUrl } from '../../file-data';
import { ifText, listAt, objectAt, textAt } from '../../value-at';

/** Reads the content of a message, or the output of a tool: a text, or a list of parts. */
export function parseContent(content: unknown, path: string): ContentPart[] {
  if (content == null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listAt(path, content, 'a text or a list of parts').map((part, index) => parsePart(part, `${path}[${index}]`));
}

/** The output of a tool. Some are no parts: the object that the tool gave, or what each command of a shell wrote. */
export function parseOutput(output: unknown, path: string): ContentPart[] {
  if (isFields(output) && PARTS.has(output.type)) return [parsePart(output, path)];
  const isPlain = isFields(output) || (Array.isArray(output) && output.some((part) => !isPart(part)));
  return isPlain ? [{ type: 'text', text: JSON.stringify(output) }] : parseContent(output, path);
}

function isPart(part: unknown): boolean {
  return typeof part === 'string' || (isFields(part) && PARTS.has(part.type));
}

const TEXTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'summary_text', 'reasoning_text', 'text']);
const IMAGES: ReadonlySet<unknown> = new Set(['input_image', 'image_url', 'computer_screenshot']);
const PARTS: ReadonlySet<unknown> = new Set([...TEXTS, ...IMAGES, 'refusal', 'input_file', 'input_audio']);

function parsePart(value: unknown, path: string): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = objectAt(path, value);
  const { type } = part;
  if (TEXTS.has(type)) return { type: 'text', text: textAt(`${path}.text`, part.text) };
  if (IMAGES.has(type)) return parseImage(part);
  switch (type) {
    case 'refusal':
      return { type: 'text', text: textAt(`${path}.refusal`, part.refusal) };
    case 'input_file':
      return parseFile(part);
    case 'input_audio': {
      const { data, format } = objectAt(`${path}.input_audio`, part.input_audio);
      return { type: 'audio', data: textAt(`${path}.data`, data), format: textAt(`${path}.format`, format) };
    }
    default:
      textAt(`${path}.type`, type);
      return { type: 'other', value: part };
  }
}

function parseImage(part: Fields): ContentPart {
  const { image_url: image, file_id: id } = part;
  // Clients of chat completions have it so.
  const { url, detail = part.detail } = isFields(image) ? image : { url: image };
  if (typeof url === 'string') return defined<ContentPart>({ type: 'image', url, detail: ifText(detail) });
  return typeof id === 'string' ? { type: 'file', id } : { type: 'other', value: part };
}

function parseFile(part: Fields): ContentPart {
  const { file_data, file_url: url, file_id: id, filename } = part;
  const data = typeof file_data === 'string' ? asDataUrl(file_data) : ifText(url);
  if (data === undefined && typeof id !== 'string') return { type: 'other', value: part };
  return defined<ContentPart>({ type: 'file', data, id: ifText(id), filename: ifText(filename) });
}
