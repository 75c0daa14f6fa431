import { isFields, textOf, type Fields } from '../_shared/fields';

/**
 * What the vendor takes in place of a signature where there is none: the client dropped it, or another model made the
 * call. The words are documented by the vendor.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The vendor's own chat-completions endpoint puts signatures there, so clients know the place. */
export function toExtraContent(signature: string): Fields {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function readSignature(extra: Fields | undefined): string | undefined {
  const content = extra?.extra_content;
  const own = isFields(content) ? content.google : undefined;
  return isFields(own) ? textOf(own.thought_signature) : undefined;
}
