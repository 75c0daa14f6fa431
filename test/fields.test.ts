import { defined, mergeFields } from '../core/fields';

test.each([
  ['texts are appended', { a: 'x' }, { a: 'y' }, { a: 'xy' }],
  ['lists are appended', { a: [1] }, { a: [2] }, { a: [1, 2] }],
  ['objects are merged', { a: { b: 'x', c: 1 } }, { a: { b: 'y' } }, { a: { b: 'xy', c: 1 } }],
  ['numbers are replaced', { a: 1 }, { a: 2 }, { a: 2 }],
  ['other types are replaced', { a: 'x' }, { a: [1] }, { a: [1] }],
  ['null is replaced', { a: null }, { a: 'x' }, { a: 'x' }],
  ['what is new is added', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
])('%s', (_name, target, piece, merged) => {
  expect(mergeFields(target, piece)).toEqual(merged);
});

test('the pieces stay as they were', () => {
  const target = { a: [1], b: { c: 'x' } };
  const piece = { a: [2], b: { c: 'y' } };
  mergeFields(target, piece);
  expect([target, piece]).toEqual([
    { a: [1], b: { c: 'x' } },
    { a: [2], b: { c: 'y' } },
  ]);
});

test('no prototype is touched', () => {
  const evil = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
  const merged = mergeFields({ a: 1 }, evil as Record<string, unknown>);
  expect(mergeFields(merged, evil as Record<string, unknown>).polluted).toBeUndefined();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});

test('defined() keeps null and false, and leaves out what is undefined', () => {
  const fields = { a: undefined, b: null, c: false, d: '' };
  expect(Object.entries(defined(fields))).toEqual([
    ['b', null],
    ['c', false],
    ['d', ''],
  ]);
});
