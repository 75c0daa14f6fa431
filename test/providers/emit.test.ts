import type { ChatEvent } from '../../core/contract/api';
import { joinPieces, LONGEST_PIECE, piecesOf } from '../../core/providers/emit';

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

test('joined, each block of reasoning comes whole before its own end, and the text before the finish', () => {
  const joined: ChatEvent[] = [];
  const emit = joinPieces((event) => void joined.push(event));
  const block = (...texts: string[]): ChatEvent[] => texts.map((text) => ({ type: 'reasoning', text }));
  const end = (signature: string): ChatEvent => ({ type: 'reasoning_end', extra: { signature } });
  const finish: ChatEvent = { type: 'finish', reason: 'stop' };
  for (const event of [...block('on', 'e'), end('1'), ...block('tw', 'o'), end('2')]) void emit(event);
  for (const text of ['Hel', 'lo']) void emit({ type: 'text', text });
  void emit(finish);
  expect(joined).toEqual([
    ...block('one'),
    end('1'),
    ...block('two'),
    end('2'),
    { type: 'text', text: 'Hello' },
    finish,
  ]);
});
