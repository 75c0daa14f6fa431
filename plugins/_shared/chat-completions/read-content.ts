import { isFields } from '../fields';

/** The texts of a content that came as a list of parts, as some servers send it when the model thinks. */
export function readContent(parts: unknown[]): { text: string; reasoning: string } {
  const found = { text: '', reasoning: '' };
  for (const part of parts) {
    if (typeof part === 'string') found.text += part;
    if (!isFields(part)) continue;
    if (part.type === 'thinking') {
      found.reasoning += Array.isArray(part.thinking) ? readContent(part.thinking).text : textOrNothing(part.thinking);
    } else {
      found.text += textOrNothing(part.text);
    }
  }
  return found;
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
