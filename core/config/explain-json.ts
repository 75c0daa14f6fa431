import type { z } from 'zod';
import type { Words } from './describe-expected';
import { jsonSchemaOf } from './json-schema';
import { isPresentable, quote } from './describe-found';
import { describeCulprit, describeWanted, narrow } from './describe-issue';
import type { Path } from './located';

const JSON_WORDS: Words = { map: 'an object', nothing: 'null' };
/** For values where null means absent, which nobody expects. */
const NULL_FREE_WORDS: Words = { ...JSON_WORDS, nothing: undefined };

export interface Explanation {
  path: Path;
  /** `found ..., expected ...`. */
  message: string;
}

/** Says of JSON data what was found where, and what a schema expects there instead. */
export function explainJson(
  schema: z.ZodType,
  value: unknown,
  issues: z.core.$ZodIssue[],
  { showTexts, nullMeansAbsent = false }: { showTexts: boolean; nullMeansAbsent?: boolean },
): Explanation[] {
  const root = jsonSchemaOf(schema);
  const words = nullMeansAbsent ? NULL_FREE_WORDS : JSON_WORDS;
  return issues.flatMap(narrow).map((issue) => {
    const found = issue.path.reduce<unknown>((node, step) => childOf(node, step), value);
    const length = Array.isArray(found) ? found.length : undefined;
    const culprit = describeCulprit(issue, describeJson(found, showTexts), length);
    return { path: issue.path, message: `found ${culprit}, expected ${describeWanted(issue, root, words)}` };
  });
}

/** A value of JSON in words. Texts are shown only where they may be: they can hold anything. */
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
