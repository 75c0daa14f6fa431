import { isFields, textOf } from '../_shared/chat-completions/fields';

export interface ModelPage {
  names: string[];
  /** Where the next page begins; undefined on the last one. */
  after: string | undefined;
}

/** Undefined when the answer is no model list. */
export function readModelPage(answer: unknown): ModelPage | undefined {
  if (!isFields(answer) || !Array.isArray(answer.data)) return undefined;
  const names = answer.data.flatMap((entry: unknown) => (isFields(entry) ? (textOf(entry.id) ?? []) : []));
  return { names, after: answer.has_more === true ? textOf(answer.last_id) : undefined };
}
