import type { Located } from './located';
import { looksLikeKey } from './secrets';

const LONGEST_SHOWN = 40;

/** What was found, in words. Only short scalars are shown, and nothing that could be a key. */
export function describeFound(found: Located, isSecret: boolean): string {
  if (found.kind !== 'scalar') return found.kind === 'map' ? 'a map' : 'a list';
  const { value } = found;
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return isSecret ? 'a number (not shown)' : `the number ${value}`;
  if (value === '') return 'an empty text';
  return isSecret || !isPresentable(value) ? 'a text (not shown)' : `the text ${quote(value)}`;
}

/** Whether a text may be repeated in a message. Text with an "@" may be a URL with a password in it. */
export function isPresentable(text: string): boolean {
  return text.length <= LONGEST_SHOWN && !text.includes('@') && !looksLikeKey(text);
}

/** In quotes, on one line, and without a character that a terminal would obey. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A field's path as a person would write it: `providers[0].models["a b"].context_window`. */
export function formatPath(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const step of path) {
    const name = String(step);
    if (typeof step === 'number') text += `[${step}]`;
    else if (!/^[A-Za-z_][\w-]*$/.test(name)) text += `[${isPresentable(name) ? quote(name) : '...'}]`;
    else text += text === '' ? name : `.${name}`;
  }
  return text;
}
