import { UsageError } from '../../errors';

/** A piece of a line: in single quotes, in double quotes, or without any. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?:[^\s'"\\]|\\[^])+)|(\s+)/y;

/** Splits a line into words as a POSIX shell does, without any expansion. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let isOpen = false;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const at = PIECE.lastIndex;
    const found = PIECE.exec(line);
    if (!found) throw new UsageError(`there is no end to what begins with ${line.slice(at, at + 20)}`, HINT);
    const [, single, double, bare, space] = found;
    if (space !== undefined) isOpen = false;
    else {
      const text = single ?? double?.replace(/\\(["\\])/g, '$1') ?? bare!.replace(/\\([^])/g, '$1');
      if (isOpen) words.push(words.pop() + text);
      else words.push(text);
      isOpen = true;
    }
  }
  return words;
}

const HINT = 'put a text with quotes in it between the others: "what\'s new"';
