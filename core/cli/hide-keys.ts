import { HIDDEN, nameHoldsKey } from '../contract/secrets';

/**
 * A message without those words of the command line that look like keys. Commander quotes what it does not understand, and
 * terminals and logs keep messages.
 */
export function hideKeys(message: string, words: readonly string[] = process.argv.slice(2)): string {
  return keysInWords(words).reduce((text, key) => text.replaceAll(key, HIDDEN), message);
}

/** The words that look like keys, also behind `--flag=`. Sentences and paths may hold a key and be more than that. */
export function keysInWords(words: readonly string[]): string[] {
  const values = words.map((word) => word.replace(/^-+([\w-]+=)?/, ''));
  return values.filter((value) => !/[\s/]/.test(value) && nameHoldsKey(value));
}
