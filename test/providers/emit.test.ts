import { LONGEST_PIECE, piecesOf } from '../../core/providers/emit';

test.each([
  ['nothing', '', 0],
  ['a short text', 'Hello', 1],
  ['one of just that length', 'x'.repeat(LONGEST_PIECE), 1],
  ['a long one', 'x'.repeat(LONGEST_PIECE * 2 + 1), 3],
  ['characters of two units, at an odd place', `x${'\u{1F600}'.repeat(LONGEST_PIECE)}`, 3],
])('%s is whole again when its pieces are put together', (_, text, count) => {
  const pieces = [...piecesOf(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces).toHaveLength(count);
  for (const piece of pieces) expect(piece).toBe(Buffer.from(piece).toString());
});
