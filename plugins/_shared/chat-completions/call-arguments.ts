import { isFields, type Fields } from '../fields';

/**
 * The arguments of a call for a vendor that takes objects only. What a model got wrong must not end the conversation: it
 * goes along as one argument.
 */
export function toArguments(text: string): Fields {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : { arguments: value };
  } catch {
    return { arguments: text };
  }
}
