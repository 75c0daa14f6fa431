import { isFields } from '../fields';

/** What a text of `clients` may hold in braces, and what stands there when the program starts. */
export const PLACEHOLDERS = {
  url: 'The address of the gateway, without a path',
  key: 'The key of the gateway',
  model: 'The name of the model, as the gateway takes it',
  small_model: 'The name of the model for small work; the same where the user chose no other',
  context: 'The context window of the model in tokens; not known for every model',
  folder: 'The private folder, with the files of `files`',
} as const;

type Placeholder = keyof typeof PLACEHOLDERS;
export type Values = Partial<Record<Placeholder, string | number>>;

/** `{name}`, or `{name|text}` with what stands there when the value is not known. */
const PATTERN = /\{([a-z_]+)(?:\|([^{}]*))?\}/g;

/** The names of the placeholders in a text, or anywhere in JSON. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(PATTERN)].map(([, name]) => name!);
  if (Array.isArray(value)) return value.flatMap(placeholdersIn);
  return isFields(value) ? Object.entries(value).flatMap(placeholdersIn) : [];
}

/**
 * Fills the placeholders of a text, or of JSON, with the names of its fields. Undefined where a value is not known: then the
 * setting, the field or the item is left out.
 */
export function fill(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values)).filter((item) => item !== undefined);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [fillText(name, values), fill(field, values)] as const);
  return Object.fromEntries(fields.filter(([name, field]) => name !== undefined && field !== undefined));
}

/** A text that is nothing but a number's placeholder becomes a number. */
function fillText(text: string, values: Values): string | number | undefined {
  let isWhole = true;
  const known = (name: string, standard: string | undefined) => values[name as Placeholder] ?? standard;
  const filled = text.replace(PATTERN, (_, name: string, standard?: string) => {
    const value = known(name, standard);
    isWhole &&= value !== undefined;
    return String(value);
  });
  if (!isWhole) return undefined;
  const [only] = [...text.matchAll(PATTERN)];
  const isNumber = only?.[0] === text && /^\d+$/.test(filled) && only[1] === 'context';
  return isNumber ? Number(filled) : filled;
}
