import { nodeAt, placeOf, valueOf } from '../../core/config/located';
import { located } from './helpers';

const tree = located('providers:\n  - name: a\n    extra_args:\n      - --x\n      - 5\n');

test('the plain data equals the file', () => {
  expect(valueOf(tree)).toEqual({ providers: [{ name: 'a', extra_args: ['--x', 5] }] });
});

test('a key __proto__ does not reach the plain data', () => {
  const value = valueOf(located('__proto__: {mode: call}\nconstructor: x\n')) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf({}));
  expect(value.mode).toBeUndefined();
});

test.each([
  ['an existing node', ['providers', 0, 'name'], 2, 11],
  ['an item of a list', ['providers', 0, 'extra_args', 1], 5, 9],
  ['the holder of a missing field', ['providers', 0, 'driver'], 2, 5],
  ['the holder of a missing item', ['providers', 7, 'name'], 2, 3],
  ['a scalar that has nothing below it', ['providers', 0, 'name', 'x', 'y'], 2, 11],
])('the place of %s', (_, path, line, column) => {
  expect(placeOf(tree, path)).toEqual({ file: 'providers.yaml', line, column });
});

test('a node is found only where its whole path exists', () => {
  expect(nodeAt(tree, ['providers', 0, 'name'])).toMatchObject({ value: 'a', keyPlace: { line: 2, column: 5 } });
  expect(nodeAt(tree, ['providers', 0, 'driver'])).toBeUndefined();
  expect(nodeAt(tree, ['providers', 0, 'name', 'x'])).toBeUndefined();
});
