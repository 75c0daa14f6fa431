import type { z } from 'zod';
import { describeExpected, type Words } from './describe-expected';
import { schemaAt, type JsonSchema } from './json-schema';
import { isPresentable, quote } from './describe-found';

export type Issue = z.core.$ZodIssue;

/** Replaces the issue of a union by the issues inside the only variant that fits on the outside. */
export function narrow(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.filter((issues) => issues.some(({ path }) => path.length > 0));
  if (inside.length !== 1) return [issue];
  return inside[0]!.flatMap((inner) => narrow({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Describes the value or key that an issue is about. `found` describes the value. */
export function describeCulprit(issue: Issue, found: string, length: number | undefined): string {
  const isSize = issue.code === 'too_small' || issue.code === 'too_big';
  if (isSize && length !== undefined) return `a list of ${length}`;
  if (issue.code === 'invalid_key') return nameKey(issue.path.at(-1));
  return issue.code === 'unrecognized_keys' ? nameKey(issue.keys[0]) : found;
}

function nameKey(key: PropertyKey | undefined): string {
  const name = String(key);
  return isPresentable(name) ? `the key ${quote(name)}` : 'a key (not shown)';
}

/** Describes the values that the schema allows at the place of an issue. */
export function describeWanted(issue: Issue, root: JsonSchema, words: Words): string {
  const own = /^expected (.*)$/.exec(issue.message)?.[1];
  if (own !== undefined) return own;
  const schema = schemaAt(root, issue.path);
  const holder = schemaAt(root, issue.path.slice(0, -1));
  if (issue.code === 'unrecognized_keys') return 'no such key';
  if (issue.code === 'invalid_key') {
    return holder?.propertyNames ? `a key that is ${describeExpected(holder.propertyNames, words)}` : 'another key';
  }
  if (issue.code === 'custom' && holder?.uniqueItems) return 'every item once';
  const expected = schema ? describeExpected(schema, words) : 'another value';
  if (issue.code === 'invalid_union' && issue.inclusive === false) return `only one of: ${expected}`;
  // Numbers beyond this limit are not exact.
  const isInexact = issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER;
  return isInexact ? `${expected} up to ${issue.maximum}` : expected;
}
