import type { Problem } from '../errors';
import type { Located, LocatedMap } from './located';
import { looksLikeKey } from './secrets';

const LONGEST_SHOWN = 40;

/** Describes a value. Shows only short scalars that cannot be keys. */
export function describeFound(found: Located, isSecret: boolean): string {
  if (found.kind !== 'scalar') return found.kind === 'map' ? 'a map' : 'a list';
  const { value } = found;
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return isSecret ? 'a number (not shown)' : `the number ${value}`;
  if (value === '') return 'an empty text';
  return isSecret || !isPresentable(value) ? 'a text (not shown)' : `the text ${quote(value)}`;
}

/** The problem of a file whose root is no map with these keys. */
export function explainRoot(root: Exclude<Located, LocatedMap>, keys: string): Problem {
  return { message: `found ${describeFound(root, true)}, expected a map with ${keys}`, place: root.place };
}

/** Whether a message may show a text. A text with an "@" may be a URL with a password. */
export function isPresentable(text: string): boolean {
  return text.length <= LONGEST_SHOWN && !text.includes('@') && !looksLikeKey(text);
}

/** Quotes a text on one line, and escapes the control characters of terminals. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The path of a field: `providers[0].models["a b"].context_window`. */
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
