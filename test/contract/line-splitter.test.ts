import { LineSplitter } from '../../core/contract/line-splitter';
import { cpuTime } from '../setup/cpu-time';

function split(bytes: Buffer, size: number, limit?: number): string[] {
  const splitter = new LineSplitter(limit);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size), lines);
  splitter.end(lines);
  return lines;
}

const TEXT = '\uFEFF{"a":1}\r\n\n😀 é\u2028 \u2029\u0085 \r inside\r\nunended';
const LINES = ['{"a":1}', '', '😀 é\u2028 \u2029\u0085 \r inside', 'unended'];

test.each([1, 2, 3, 5, 7, 1000])('lines are the same in pieces of %i bytes', (size) => {
  expect(split(Buffer.from(TEXT), size)).toEqual(LINES);
});

test('a line up to the limit passes, one byte more does not, whole or in pieces', () => {
  for (const size of [1, 4, 100]) {
    expect(split(Buffer.from(`${'x'.repeat(10)}\n`), size, 10)).toEqual(['x'.repeat(10)]);
    expect(() => split(Buffer.from(`${'x'.repeat(11)}\n`), size, 10)).toThrow('larger than');
    expect(() => split(Buffer.from('x'.repeat(11)), size, 10)).toThrow('larger than');
  }
});

test('a long line in small pieces takes linear time', () => {
  const used = cpuTime();
  const [line] = split(Buffer.alloc(8 << 20, 'x'), 512);
  expect(line?.length).toBe(8 << 20);
  expect(used()).toBeLessThan(1_000);
});
