const LONGEST_WORD = 1_000;
const SHOWN = 200;

/**
 * Cuts words that no terminal can show. A name or a path that a user gives may have 100,000 characters, and a message repeats it.
 * JSON and answers keep theirs. No message cuts before it is redacted: the rest of a key would be recognized no more.
 */
export function shortWords(text: string): string {
  if (text.length <= LONGEST_WORD) return text;
  return text.replace(/\S+/g, (word) =>
    word.length <= LONGEST_WORD ? word : `${word.slice(0, SHOWN)}... (${word.length} characters)`,
  );
}
