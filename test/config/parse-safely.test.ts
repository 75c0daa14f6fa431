import { z } from 'zod';
import { parseSafely } from '../../core/config/parse-safely';
import { validate } from '../../core/config/problems';
import { documentOf } from '../../core/config/document';

const schema = z.looseObject({ name: z.string().min(1), list: z.array(z.string()).min(1).nullish() });

test.each([
  [{ length: { toString: 1 } }, undefined],
  ['x', { length: { valueOf: null, toString: null } }],
])('an object with an odd length is of a wrong type, as any other: %j, %j', (name, list) => {
  const { error } = parseSafely(schema, { name, list });
  expect(error?.issues.map(({ code, path }) => [code, path])).toEqual([['invalid_type', [list ? 'list' : 'name']]]);
});

test('a mistake of a configuration file is told where it is', () => {
  const { root } = documentOf('a.yaml', 'name:\n  length: { toString: 1 }\n');
  expect(validate(schema, root!, '').problems).toEqual([
    expect.objectContaining({ message: 'name: found a map, expected a text that is not empty' }),
  ]);
});

test('what is right is passed on whole', () => {
  expect(parseSafely(schema, { name: 'x', length: { toString: 1 } }).data).toEqual({
    name: 'x',
    length: { toString: 1 },
  });
});
