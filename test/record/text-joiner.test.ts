import type { ProcessEvent } from '../../core/record/process-event';
import { TextJoiner } from '../../core/record/text-joiner';

let seq = 0;
const piece = (text: string, more: { type?: 'text' | 'reasoning'; step?: number } = {}): ProcessEvent => ({
  ...{ seq: seq++, time: 1_000 + seq, type: 'text', step: 1, text },
  ...more,
});
const other = (): ProcessEvent => ({ seq: seq++, time: 1_000 + seq, type: 'running' });
const shown = (events: ProcessEvent[]) => events.map((event) => ('text' in event ? event.text : event.type));

beforeEach(() => (seq = 0));

test('pieces become one, with the time of the first and the number of the last', () => {
  const joiner = new TextJoiner();
  for (const text of ['Hel', 'lo', ' world']) expect(joiner.add(piece(text))).toEqual([]);
  expect(joiner.takeAll()).toEqual([{ seq: 2, time: 1_001, type: 'text', step: 1, text: 'Hello world' }]);
  expect(joiner.takeAll()).toEqual([]);
});

test.each([
  ['another event', other()],
  ['another step', piece('x', { step: 2 })],
  ['the answer after the reasoning', piece('x', { type: 'reasoning' })],
])('the order stays: %s comes after the text before it', (_name, next) => {
  const joiner = new TextJoiner();
  joiner.add(piece('a'));
  joiner.add(piece('b'));
  expect([...joiner.add(next), ...joiner.takeAll()].map((event) => ('text' in event ? event.text : '-'))).toEqual([
    'ab',
    'text' in next ? 'x' : '-',
  ]);
});

test.each([
  ['between words', ['one', ' two', ' thr'], ['one two'], ' thr'],
  ['after a blank', ['one ', 'tw'], ['one '], 'tw'],
  ['not inside of a word', ['sk-', '123', '456'], [], 'sk-123456'],
  ['between letters that no key has', ['你', '好'], ['你好'], ''],
])('is cut %s', (_name, pieces, words, rest) => {
  const joiner = new TextJoiner();
  pieces.forEach((text) => joiner.add(piece(text)));
  expect(shown(joiner.takeWords())).toEqual(words);
  expect(shown(joiner.takeAll()).join('')).toBe(rest);
});

test('a long text comes in parts of some kilobytes, and nothing of it is lost', () => {
  const joiner = new TextJoiner();
  const pieces = Array.from({ length: 5_000 }, (_, at) => `word${at} `);
  const parts = shown([...pieces.flatMap((text) => joiner.add(piece(text))), ...joiner.takeAll()]);
  expect(parts.join('')).toBe(pieces.join(''));
  for (const part of parts) expect(part.length).toBeLessThan(4_200);
});

test('an endless word is cut all the same', () => {
  const joiner = new TextJoiner();
  const parts = shown(Array.from({ length: 20_000 }, () => joiner.add(piece('x'))).flat());
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.join('').length).toBeGreaterThan(8_000);
});
