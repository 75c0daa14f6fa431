import { isFields, textOf } from '../fields';

/** The model names in the answer of a model list; undefined when it is something else. */
export function readModelList(answer: unknown): string[] | undefined {
  const list = Array.isArray(answer) ? answer : isFields(answer) ? (answer.data ?? answer.models) : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((entry: unknown) => (isFields(entry) ? (textOf(entry.id) ?? textOf(entry.name) ?? []) : []));
}
