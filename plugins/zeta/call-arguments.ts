import { isFields, type Fields } from '../_shared/chat-completions/fields';

/** The vendor takes objects only. What a model wrote that is none goes along all the same, as one argument. */
export function toArguments(text: string): Fields {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : { arguments: value };
  } catch {
    return { arguments: text };
  }
}
