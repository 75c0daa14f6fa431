import { codeOf, hintOf, messageOf } from '../core/errors';

const trap = () => {
  throw new Error('trap');
};

test.each<[string, unknown]>([
  ['an object whose getters throw', Object.defineProperties({}, { code: { get: trap }, hint: { get: trap } })],
  ['a proxy that refuses all', new Proxy({}, { get: trap, has: trap })],
  ['nothing', undefined],
  ['null', null],
  ['a text', 'code'],
  ['an object with other types', { code: 1, hint: {}, message: [] }],
])('%s, thrown by a plug-in, has no code and no hint, and ends nothing', (_, error) => {
  expect([codeOf(error), hintOf(error)]).toEqual([undefined, undefined]);
  expect(typeof messageOf(error)).toBe('string');
});

test('an error has its code and its hint; an empty hint is none', () => {
  const error = Object.assign(new Error('x'), { code: 'ENOENT', hint: 'look' });
  expect([codeOf(error), hintOf(error), hintOf({ hint: '' })]).toEqual(['ENOENT', 'look', undefined]);
});

test('a thrown promise says what is missing', () => {
  expect(messageOf(Promise.resolve())).toBe('a promise was thrown: write "throw await" in place of "throw"');
});
