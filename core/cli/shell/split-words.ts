import { UsageError } from '../../errors';

/** A piece of a line: in single quotes, in double quotes, without quotes, or white space. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?:[^\s'"\\]|\\[^])+)|(\s+)/y;
const HINT = 'put a text with quotes in it between the others: "what\'s new"';

/**
 * Splits a line into words as a POSIX shell does, without any expansion. (`string-argv` keeps backslashes and accepts an open
 * quote, and `shellwords` reads backslashes in single quotes.)
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let isOpen = false;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const at = PIECE.lastIndex;
    const found = PIECE.exec(line);
    if (!found) throw new UsageError(`a quote or a backslash has no end: ${line.slice(at, at + 20)}`, HINT);
    const [, single, double, bare, space] = found;
    if (space !== undefined) {
      isOpen = false;
      continue;
    }
    const text = single ?? double?.replace(/\\(["\\])/g, '$1') ?? bare!.replace(/\\([^])/g, '$1');
    words.push(isOpen ? words.pop() + text : text);
    isOpen = true;
  }
  return words;
}
