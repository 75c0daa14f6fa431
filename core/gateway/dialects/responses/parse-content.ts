import type { ContentPart } from '../../../contract/api';
import { defined, isFields } from '../../../fields';
import { ifText, listAt, objectAt, textAt } from '../../value-at';

type Fields = Record<string, unknown>;

/** Reads the content of a message, or the output of a tool: a text, or a list of parts. */
export function parseContent(content: unknown, path: string): ContentPart[] {
  if (content == null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listAt(path, content, 'a text or a list of parts').map((part, index) => parsePart(part, `${path}[${index}]`));
}

/** The output of a tool. Some clients send the object that the tool gave. */
export function parseOutput(output: unknown, path: string): ContentPart[] {
  if (isFields(output)) return [{ type: 'text', text: JSON.stringify(output) }];
  return parseContent(output, path);
}

function parsePart(value: unknown, path: string): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = objectAt(path, value);
  const { type } = part;
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
    case 'text':
      return { type: 'text', text: textAt(`${path}.text`, part.text) };
    case 'refusal':
      return { type: 'text', text: textAt(`${path}.refusal`, part.refusal) };
    case 'input_image':
    case 'computer_screenshot':
      return parseImage(part);
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
  const { image_url: url, file_id: id, detail } = part;
  if (typeof url === 'string') return defined<ContentPart>({ type: 'image', url, detail: ifText(detail) });
  return typeof id === 'string' ? { type: 'file', id } : { type: 'other', value: part };
}

function parseFile(part: Fields): ContentPart {
  const { file_data: data, file_id: id, filename } = part;
  if (typeof data !== 'string' && typeof id !== 'string') return { type: 'other', value: part };
  return defined<ContentPart>({
    type: 'file',
    data: typeof data === 'string' ? asDataUrl(data) : undefined,
    id: ifText(id),
    filename: ifText(filename),
  });
}

/** The wire takes base64 with and without its media type. */
function asDataUrl(data: string): string {
  return data.startsWith('data:') ? data : `data:application/octet-stream;base64,${data}`;
}
