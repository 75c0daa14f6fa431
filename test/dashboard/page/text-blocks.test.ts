import { TextBlocks } from '../../../core/dashboard/page/text-blocks';

function grow(pieces: string[]): TextBlocks {
  const text = new TextBlocks();
  for (const piece of pieces) text.append(piece);
  return text;
}

test('a short text is one block', () => {
  expect(grow(['Once ', 'upon\n', 'a time']).blocks).toEqual(['Once upon\na time']);
  expect(new TextBlocks().blocks).toEqual([]);
});

test('marks that reverse the direction of a text are left out', () => {
  expect(grow(['abc\u202e', 'txt.exe\u2066']).blocks).toEqual(['abctxt.exe']);
});

test.each([
  ['in one piece', (text: string) => [text]],
  ['word by word', (text: string) => text.split(/(?<= )/)],
])('a long text that comes %s is cut at line breaks, and nothing of it is lost', (_name, cut) => {
  const text = Array.from({ length: 1_000 }, (_, index) => `this is line ${index} of it\n`).join('');
  const { blocks, length } = grow(cut(text));
  expect(blocks.join('')).toBe(text);
  expect(length).toBe(text.length);
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.every((block) => block.endsWith('\n') && block.length < 3_000)).toBe(true);
});

test('a line of millions of characters is cut, between characters', () => {
  const text = '🙂'.repeat(300_000);
  const { blocks } = grow([`x${text}`]);
  expect(blocks.join('')).toBe(`x${text}`);
  expect(Math.max(...blocks.map((block) => block.length))).toBeLessThanOrEqual(20_000);
  expect(blocks.every((block) => Buffer.from(block).toString() === block)).toBe(true);
});

test('a long line costs no more per word than a short one', () => {
  const text = new TextBlocks();
  const before = process.cpuUsage();
  for (let index = 0; index < 200_000; index += 1) text.append('a word and another one more, and so on ');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
});
