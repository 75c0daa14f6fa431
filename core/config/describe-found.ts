import { beginsLikeKey, looksLikeKey } from '../contract/secrets';
import type { Problem } from '../errors';
import { type Located, type LocatedMap, valueOf } from './located';

const LONGEST_SHOWN = 40;

/** The words of messages about one kind of data. */
export interface Words {
  map: string;
  null: string;
  /** Whether null is a value. Otherwise it counts as absent. */
  takesNull: boolean;
  hiddenText: string;
  showsTexts: boolean;
}

export const YAML_WORDS: Words = {
  map: 'a map',
  null: 'nothing',
  takesNull: true,
  hiddenText: 'a text (not shown)',
  showsTexts: true,
};
export const JSON_WORDS: Words = { ...YAML_WORDS, map: 'an object', null: 'null', hiddenText: 'a text' };
/** The texts of a request are prompts. */
export const REQUEST_WORDS: Words = { ...JSON_WORDS, takesNull: false, showsTexts: false };

/** Describes a value. Shows only short scalars that cannot be keys. */
export function describeFound(value: unknown, words: Words, isSecret = false): string {
  if (value === undefined) return 'nothing';
  if (value === null) return words.null;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return isSecret ? 'a number (not shown)' : `the number ${value}`;
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : words.map;
  if (value === '') return 'an empty text';
  return isSecret || !words.showsTexts || !isPresentable(value) ? words.hiddenText : `the text ${quote(value)}`;
}

/** The problem of a file whose root is no map with these keys. */
export function explainRoot(root: Exclude<Located, LocatedMap>, keys: string): Problem {
  const found = describeFound(valueOf(root), YAML_WORDS, true);
  return { message: `found ${found}, expected a map with ${keys}`, place: root.place };
}

/** Whether a message may show a text. A text with an "@" may be a URL with a password, and a query may hold a key. */
export function isPresentable(text: string): boolean {
  return text.length <= LONGEST_SHOWN && !/@|\?.*=/s.test(text) && !looksLikeKey(text) && !beginsLikeKey(text);
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
    else if (!/^[A-Za-z_][\w-]*$/.test(name) || looksLikeKey(name))
      text += `[${isPresentable(name) ? quote(name) : '...'}]`;
    else text += text === '' ? name : `.${name}`;
  }
  return text;
}
