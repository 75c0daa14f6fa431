import { isFields, textOf } from '../_shared/chat-completions/fields';

export interface ModelPage {
  names: string[];
  /** Where the list goes on. */
  nextPageToken: string | undefined;
}

/** One page of a model list, without models that cannot chat; undefined when the answer is something else. */
export function readModelPage(answer: unknown): ModelPage | undefined {
  if (!isFields(answer) || !Array.isArray(answer.models)) return undefined;
  const models = answer.models.filter(isFields).filter(({ supportedGenerationMethods: methods }) => {
    return !Array.isArray(methods) || methods.includes('generateContent');
  });
  const names = models.flatMap(({ name }) => textOf(name)?.replace(/^models\//, '') ?? []);
  return { names, nextPageToken: textOf(answer.nextPageToken) };
}
