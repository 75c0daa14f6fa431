/** In characters. As much as goes to a client without anybody else noticing. */
export const LONGEST_PIECE = 256 * 1024;

/** Cuts a text into pieces, none of which begins or ends within a character. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + LONGEST_PIECE, text.length);
    const isWithin = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    yield text.slice(start, isWithin ? end - 1 : end);
    start = isWithin ? end - 1 : end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
