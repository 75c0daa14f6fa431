import type { JsonLine } from '../contract/api';
import { parseJson } from '../fields';

/** The first character of a JSON text. Looking at it is faster than catching an error of the parser. */
const BEGINNING = /^\s*[-{["\dtfn]/;
/** In characters. `JSON.parse` takes under 100 ms for any shorter text. */
const SHORT = 1024 * 1024;
/** In a longer text. With this many, `JSON.parse` takes 150 ms; with the eight million of a 16 MiB line, three seconds. */
const MOST_MARKS = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The characters before a value or a key, and the quote that begins a string. */
const MARK = /[[{:,"]/g;

/** Parses each line. Leaving this loop leaves the loop over the lines. */
export function jsonLines(lines: AsyncIterableIterator<string, undefined>): AsyncIterableIterator<JsonLine> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await lines.next();
      return done ? { done, value: undefined } : { done: false, value: { text: value, json: parseLine(value) } };
    },
    async return() {
      await lines.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The value of a line. Undefined where the line is no JSON, or would block the program for longer than 200 ms. */
export function parseLine(text: string): unknown {
  if (!BEGINNING.test(text) || (text.length > SHORT && hasTooManyMarks(text))) return undefined;
  return parseJson(text);
}

/** Passes over strings: their content costs the parser nothing. */
function hasTooManyMarks(text: string): boolean {
  MARK.lastIndex = 0;
  let count = 0;
  for (let found = MARK.exec(text); found; found = MARK.exec(text)) {
    if (found[0] === '"') MARK.lastIndex = endOfString(text, found.index) + 1;
    else if (++count > MOST_MARKS) return true;
  }
  return false;
}

/** Where the string that begins at `start` has its closing quote, or the text its end. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote === -1) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  // One search for each of millions of escaped quotes would take several times as long.
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
