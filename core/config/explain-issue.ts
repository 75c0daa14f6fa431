import type { z } from 'zod';
import { describeExpected } from './describe-expected';
import { describeFound, formatPath, isPresentable, JSON_WORDS, quote, type Words } from './describe-found';
import { type JsonSchema, jsonSchemaOf, schemaAt } from './json-schema';
import type { Path } from './located';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value of JSON data. */
export interface Fault {
  path: Path;
  message: string;
}

/** Explains the issues of JSON data: the place, the found value and the expected one. */
export function explainJson(schema: z.ZodType, value: unknown, issues: Issue[], words: Words): Fault[] {
  const root = jsonSchemaOf(schema);
  return issues.flatMap(narrow).map((issue) => {
    const { found, wanted } = explainIssue(issue, value, root, words);
    return { path: issue.path, message: `found ${found}, expected ${wanted}` };
  });
}

/** The same in lines, each with its place. */
export function explainLines(schema: z.ZodType, value: unknown, issues: Issue[], whole: string): string[] {
  return explainJson(schema, value, issues, JSON_WORDS).map((fault) => formatFault(fault, whole));
}

/** In a line, with its place. `whole`: what the line calls the value itself. */
export function formatFault({ path, message }: Fault, whole: string): string {
  return `${formatPath('', path) || whole}: ${message}`;
}

export function explainIssue(issue: Issue, value: unknown, root: JsonSchema, words: Words, isSecret = false) {
  return {
    found: describeCulprit(issue, valueAt(value, issue.path), words, isSecret),
    wanted: describeWanted(issue, root, words),
  };
}

/** Replaces the issue of a union by the issues inside the only variant that fits on the outside. */
export function narrow(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.filter((issues) => issues.some(({ path }) => path.length > 0));
  if (inside.length !== 1) return [issue];
  return inside[0]!.flatMap((inner) => narrow({ ...inner, path: [...issue.path, ...inner.path] }));
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, step) => {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined;
    return (node as Record<PropertyKey, unknown>)[step];
  }, value);
}

function describeCulprit(issue: Issue, found: unknown, words: Words, isSecret: boolean): string {
  const isSize = issue.code === 'too_small' || issue.code === 'too_big';
  if (isSize && Array.isArray(found)) return `a list of ${found.length}`;
  if (issue.code === 'invalid_key') return nameKey(issue.path.at(-1));
  return issue.code === 'unrecognized_keys' ? nameKey(issue.keys[0]) : describeFound(found, words, isSecret);
}

function nameKey(key: PropertyKey | undefined): string {
  const name = String(key);
  return isPresentable(name) ? `the key ${quote(name)}` : 'a key (not shown)';
}

function describeWanted(issue: Issue, root: JsonSchema, words: Words): string {
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
