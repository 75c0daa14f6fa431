import { parseLine } from '../../core/subprocess/json-lines';
import { cpuTime } from '../setup/cpu-time';

const MEBIBYTE = 1024 * 1024;

test.each<[string, unknown]>([
  ['{"a":[1,null]}', { a: [1, null] }],
  [' "text"', 'text'],
  ['null', null],
  ['Warning: x', undefined],
  ['nul', undefined],
  ['', undefined],
])('the value of %j is %j', (text, value) => {
  expect(parseLine(text)).toEqual(value);
});

test.each([
  ['one long text', { text: 'x'.repeat(15 * MEBIBYTE) }],
  ['a text with as many escaped quotes as fit', { text: '"'.repeat(7 * MEBIBYTE), end: '\\' }],
  ['JSON inside a text', { text: JSON.stringify(Array(500_000).fill({ a: 1 })), path: 'C:\\', more: [1] }],
  ['a hundred thousand values', { values: Array(100_000).fill('some short text'), end: true }],
])('%s is parsed, however long the line is', (_, value) => {
  const text = JSON.stringify(value);
  expect(JSON.stringify(parseLine(text)) === text).toBe(true);
});

test.each([
  ['empty objects', `[${'{},'.repeat(5 * MEBIBYTE)}{}]`],
  ['numbers', `[${'0,'.repeat(8 * MEBIBYTE)}0]`],
  ['keys', `{${'"a":1,'.repeat(2 * MEBIBYTE)}"b":1}`],
  ['empty texts', `[${'"",'.repeat(5 * MEBIBYTE)}""]`],
  ['lists in each other', '['.repeat(8 * MEBIBYTE) + ']'.repeat(8 * MEBIBYTE)],
])('millions of %s count as no JSON, because parsing them would block the daemon', (_, text) => {
  const used = cpuTime();
  expect(parseLine(text)).toBeUndefined();
  expect(used()).toBeLessThan(200);
});

test('a string without an end is no JSON', () => {
  expect(parseLine(`["${'x'.repeat(2 * MEBIBYTE)}`)).toBeUndefined();
  expect(parseLine(`["${'\\"'.repeat(MEBIBYTE)}`)).toBeUndefined();
});
