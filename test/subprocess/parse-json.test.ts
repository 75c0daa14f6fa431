import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseInTurns, parseJson } from '../../core/subprocess/parse-json';

function expected(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TEXTS = [
  ...['null', 'true', '-1.5e+3', '"a"', '[]', '{}', '[[],{}]', '{"a":[1,{"b":null}],"a":2}', ' [ 1 , 2 ] '],
  ...['"\\""', '"\\\\"', '"\\\\\\" \\u00e9 \u2028"', '{"__proto__":{"x":1}}', '{"constructor":1}', '{"":""}'],
  ...['', 'nul', '01', '+1', '.5', '[1,]', '[,1]', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}', '[1 2]', '1 2', '[}', '{]'],
  ...['"', '"\\', '"\n"', "'a'", '[', '{', '{"a":1', '[1]]', 'NaN', 'Infinity', 'undefined', '0x10', '\u00a0[]', '1_0'],
];

test.each(TEXTS)('%j means the same at once and in turns', async (text) => {
  expect(parseJson(text)).toEqual(expected(text));
  expect(await parseInTurns(text)).toEqual(expected(text));
});

test('a text that was spoilt anywhere means the same, too', async () => {
  const good = JSON.stringify({ type: 'x', list: [1, -2.5e3, 'ü"\\', { a: null, b: [true, false, {}] }], end: '}' });
  for (let at = 0; at < good.length; at += 1) {
    for (const put of ['', '"', ',', '}', ']', '\\', '1', ' ']) {
      const text = good.slice(0, at) + put + good.slice(at + 1);
      expect(await parseInTurns(text)).toEqual(expected(text));
    }
  }
});

test('an object keeps what it inherits', async () => {
  const value = (await parseInTurns('{"__proto__":{"polluted":1}}')) as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
});

test('a long text may be nested ten thousand levels deep, and no deeper', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ' '.repeat(300_000) + ']'.repeat(depth);
  expect(await parseJson(nested(10_000))).toBeInstanceOf(Array);
  expect(await parseJson(nested(8_000_000))).toBeUndefined();
});

test.each([
  ['many small values', `[${'{"a":1},'.repeat(400_000)}{}]`],
  ['values deep in each other', `[${`${'['.repeat(5_000)}${']'.repeat(5_000)},`.repeat(40)}[]]`],
])('%s in one text leave everybody else their turn', async (_, text) => {
  let longest = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const { user, system } = process.cpuUsage();
      await nextTurn();
      const now = process.cpuUsage();
      longest = Math.max(longest, (now.user + now.system - user - system) / 1000);
    }
  })();
  expect(await parseJson(text)).toBeInstanceOf(Array);
  isDone = true;
  await watching;
  expect(longest).toBeLessThan(250);
});
