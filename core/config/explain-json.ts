import type { z } from 'zod';
import type { Words } from './describe-expected';
import { jsonSchemaOf } from './json-schema';
import { isPresentable, quote } from './describe-found';
import { describeCulprit, describeWanted, narrow } from './describe-issue';
import type { Path } from './located';

export interface Explanation {
  path: Path;
  /** `found ..., expected ...`. */
  message: string;
}

/** Explains the issues of JSON data: the place, the found value and the expected one. */
export function explainJson(
  schema: z.ZodType,
  value: unknown,
  issues: z.core.$ZodIssue[],
  { showTexts, nullMeansAbsent = false }: { showTexts: boolean; nullMeansAbsent?: boolean },
): Explanation[] {
  const root = jsonSchemaOf(schema);
  const words: Words = { map: 'an object', nothing: nullMeansAbsent ? undefined : 'null' };
  return issues.flatMap(narrow).map((issue) => {
    const found = issue.path.reduce<unknown>((node, step) => childOf(node, step), value);
    const length = Array.isArray(found) ? found.length : undefined;
    const culprit = describeCulprit(issue, describeJson(found, showTexts), length);
    return { path: issue.path, message: `found ${culprit}, expected ${describeWanted(issue, root, words)}` };
  });
}

/** Describes a JSON value. Shows a text only with `showTexts`, because it can contain anything. */
export function describeJson(value: unknown, showTexts = false): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : 'an object';
  if (value === '') return 'an empty text';
  return showTexts && isPresentable(value) ? `the text ${quote(value)}` : 'a text';
}

function childOf(node: unknown, step: PropertyKey): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined;
  return (node as Record<PropertyKey, unknown>)[step];
}
