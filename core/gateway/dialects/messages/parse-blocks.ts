import type { ContentPart } from '../../../contract/api';
import { type Fields, isFields } from '../../../fields';
import { wrongField } from '../../read-fields';
import { ifText } from '../../value-at';
import { ATTRIBUTION } from './vendor-words';

const textPart = (text: string): ContentPart => ({ type: 'text', text });

/** The blocks of a content that may be a plain text, or a single block. Throws an HttpError for one that is no block. */
export function blocksOf(content: unknown, path: string): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  // Some clients send the object that a tool gave.
  if (isFields(content)) return [ifText(content.type) ? content : { type: 'text', text: JSON.stringify(content) }];
  if (!Array.isArray(content)) return [];
  return content.map((block: unknown, index) => {
    if (isFields(block)) return block;
    throw wrongField(`${path}[${index}]`, block, 'a block');
  });
}

/** The parts of a content that may be a plain text, or a single block. */
export function partsOf(content: unknown, path: string): ContentPart[] {
  return blocksOf(content, path).flatMap((block, index) => toParts(block, `${path}[${index}]`));
}

/** The system prompt: a part for each block. */
export function systemParts(system: unknown): ContentPart[] {
  const parts = partsOf(system, 'system');
  return parts.filter((part) => part.type !== 'text' || !part.text.startsWith(ATTRIBUTION));
}

/**
 * What a block says to a backend of another wire. Many templates refuse an empty text. Blocks that mean nothing there
 * have no part.
 */
export function toParts(block: Fields, path: string): ContentPart[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && block.text !== '' ? [textPart(block.text)] : [];
    case 'image':
      return toImage(fieldsOf(block.source));
    case 'document':
      return toDocument(block, fieldsOf(block.source), path);
    case 'search_result': {
      const texts = partsOf(block.content, `${path}.content`);
      const head = [block.title, block.source].filter((line) => typeof line === 'string').join('\n');
      return head === '' ? texts : [textPart(head), ...texts];
    }
    case 'tool_reference':
      return [textPart(`The tool ${ifText(block.tool_name) ?? ifText(block.name) ?? ''} is available now.`)];
    default:
      return [];
  }
}

function toImage({ type, media_type, data, url }: Fields): ContentPart[] {
  if (type === 'base64' && typeof data === 'string') {
    return [{ type: 'image', url: dataUrl(media_type, data) }];
  }
  return typeof url === 'string' ? [{ type: 'image', url }] : [textPart('[an image that cannot be shown here]')];
}

function toDocument(block: Fields, { type, media_type, data, url, content }: Fields, path: string): ContentPart[] {
  const title = ifText(block.title) || undefined;
  const context = toParts({ type: 'text', text: block.context }, path);
  if (type === 'base64' && typeof data === 'string') {
    return [...context, { type: 'file', data: dataUrl(media_type, data), filename: fileName(title, media_type) }];
  }
  const heading = title === undefined ? context : [textPart(title), ...context];
  if (type === 'text' && typeof data === 'string') return [...heading, textPart(data)];
  if (type === 'content') return [...heading, ...partsOf(content, `${path}.source.content`)];
  return [...context, textPart(`[a document that cannot be shown here: ${ifText(url) ?? title ?? 'a file'}]`)];
}

/** Backends tell the kind of a file by the end of its name. */
function fileName(title = 'document', mediaType: unknown): string {
  return mediaType !== 'application/pdf' || /\.pdf$/i.test(title) ? title : `${title}.pdf`;
}

function dataUrl(mediaType: unknown, data: string): string {
  return `data:${ifText(mediaType) ?? 'application/octet-stream'};base64,${data}`;
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
