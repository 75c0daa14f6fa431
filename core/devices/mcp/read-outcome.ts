import type { ContentPart } from '../../contract/api';
import { isFields } from '../../fields';
import { isTooDeep, MOST_LEVELS } from '../../http/nesting';
import type { ToolOutcome } from '../tool-server';

/** How much text of a result reaches the model. */
const TEXT_LIMIT = 256 * 1024;
/** In characters of base64. Vendors take no larger image. */
const IMAGE_LIMIT = 5 * 1024 * 1024;
const MOST_IMAGES = 10;
/** What every vendor takes. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What a server answered to a call, for the model: its texts and images, and a note in place of what a model cannot read. */
export function readOutcome(result: Record<string, unknown>): ToolOutcome {
  const blocks = Array.isArray(result.content) ? (result.content as unknown[]).filter(isFields) : [];
  const parts = blocks.map(toPart);
  // Most servers repeat it as text. The others have no content besides it.
  const structured = result.structuredContent ?? undefined;
  if (parts.length === 0 && structured !== undefined) parts.push(toText(structured));
  return { content: withinLimits(parts), isError: result.isError === true };
}

/** A failure in words, for the model. */
export function failedOutcome(text: string): ToolOutcome {
  return { content: withinLimits([say(text)]), isError: true };
}

function toText(structured: unknown): ContentPart {
  if (isTooDeep(structured)) return say(`[the result is left out: it is nested deeper than ${MOST_LEVELS} levels]`);
  return say(JSON.stringify(structured));
}

function toPart(block: Record<string, unknown>): ContentPart {
  const { type, text, data, mimeType, resource } = block;
  if (type === 'text' && typeof text === 'string') return say(text);
  if (type === 'image' && typeof data === 'string') return toImage(data, mimeType);
  if (type === 'resource' && isFields(resource)) {
    const { uri, text: inside, blob } = resource;
    if (typeof inside === 'string') return say(`[resource ${shown(uri)}]\n${inside}`);
    if (typeof blob === 'string') {
      const isImage = (IMAGE_TYPES as unknown[]).includes(resource.mimeType);
      return isImage ? toImage(blob, resource.mimeType) : note(`resource ${shown(uri)}`, resource.mimeType);
    }
  }
  if (type === 'resource_link') return say(`[resource ${shown(block.uri)} ${shown(block.name)}]`);
  return note(shown(type), mimeType);
}

function toImage(data: string, mimeType: unknown): ContentPart {
  const isUsable = typeof mimeType === 'string' && IMAGE_TYPES.includes(mimeType) && /^[\w+/=\s-]*$/.test(data);
  if (!isUsable) return note('image', mimeType);
  if (data.length > IMAGE_LIMIT)
    return say(`[an image of ${Math.round(data.length / 1024)} KiB is left out: it is over 5 MiB]`);
  return { type: 'image', url: `data:${mimeType};base64,${data}` };
}

function note(what: string, mimeType: unknown): ContentPart {
  return say(`[${what} of type ${shown(mimeType)} is left out: the model cannot read it]`);
}

const say = (text: string): ContentPart => ({ type: 'text', text });
const shown = (value: unknown) => (typeof value === 'string' ? value.slice(0, 1000) : 'unknown');

function withinLimits(parts: ContentPart[]): ContentPart[] {
  const content: ContentPart[] = [];
  let left = TEXT_LIMIT;
  let images = 0;
  let cut = 0;
  for (const part of parts) {
    if (part.type === 'image') {
      images += 1;
      if (images <= MOST_IMAGES) content.push(part);
    } else if (part.type === 'text') {
      const bytes = Buffer.from(part.text);
      // Through bytes: a server may have cut the text in the middle of a character, and vendors refuse half of one.
      const kept = bytes.length <= left ? bytes.toString() : wholeCharacters(bytes.subarray(0, left));
      cut += Math.max(0, bytes.length - left);
      left = Math.max(0, left - bytes.length);
      if (kept !== '' || bytes.length === 0) content.push(say(kept));
    }
  }
  if (images > MOST_IMAGES) content.push(say(`[${images - MOST_IMAGES} more images are left out]`));
  if (cut > 0) content.push(say(`[cut here: ${cut} more bytes of the result are left out, it was over 256 KiB]`));
  return content.length > 0 ? content : [say('(no output)')];
}

/** Without the part of a character at the end. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
