/** Words of a command line as a shell reads them: advice is pasted, and folders may have spaces in their names. */
export function shellWords(words: readonly string[]): string {
  const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
  return words.map(quote).join(' ');
}
