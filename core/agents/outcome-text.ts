import type { ContentPart } from '../contract/api';
import type { LlmDevice } from '../devices/device';
import type { ToolOutcome } from '../devices/tool-server';

/** The outcome of a tool for a model. A failure says so, and a model without image input gets a note in place of an image. */
export function forModel(
  { content, isError }: ToolOutcome,
  { capabilities }: Pick<LlmDevice, 'capabilities'>,
): ContentPart[] {
  const parts = capabilities.images ? content : content.map(withoutImage);
  if (!isError) return parts;
  const [first, ...rest] = parts;
  const text = first?.type === 'text' ? first.text : '';
  return [{ type: 'text', text: `error: ${text}` }, ...(first?.type === 'text' ? rest : parts)];
}

/** The same for the record of the process, which has no images. */
export function textOf(content: readonly ContentPart[]): string {
  const texts = content.map(withoutImage).map((part) => (part.type === 'text' ? part.text : ''));
  return texts.join('\n');
}

function withoutImage(part: ContentPart): ContentPart {
  if (part.type !== 'image') return part;
  const [, type = 'image'] = /^data:([^;,]+)/.exec(part.url) ?? [];
  return { type: 'text', text: `[an image of type ${type}]` };
}
