import { ifText, listAt, nameAt, objectAt, textAt } from '../../core/gateway/value-at';

test('a value of the right type is returned', () => {
  const fields = { a: 1 };
  expect(objectAt('x', fields)).toBe(fields);
  expect(listAt('x', [1])).toEqual([1]);
  expect([textAt('x', ''), nameAt('x', 'n'), ifText('t'), ifText(7)]).toEqual(['', 'n', 't', undefined]);
});

test.each([
  ['an object', () => objectAt('input[0]', [])],
  ['a list', () => listAt('input[0]', {})],
  ['a text', () => textAt('input[0]', 7)],
  ['a text that is not empty', () => nameAt('input[0]', '')],
])('any other is an error with its place: expected %s', (expected, read) => {
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'input[0]' }));
  expect(read).toThrow(new RegExp(`^input\\[0\\]: found .*, expected ${expected}$`));
});
