import { plainSchema } from '../../../plugins/_shared/plain-schema';

const EMPTY = { type: 'object', properties: {} };
const text = { type: 'string' };

test.each<[string, Record<string, unknown> | undefined]>([
  ['none', undefined],
  ['an empty one', {}],
  ['one of a text', { type: 'string' }],
  ['one with nothing', { type: 'object', properties: null, required: null }],
  ['one with lists for objects', { type: 'object', properties: [], required: {} }],
  ['one that may be null', { type: ['object', 'null'] }],
])('%s becomes an object without properties', (_name, schema) => {
  expect(plainSchema(schema)).toEqual(EMPTY);
});

test('a schema that is fine stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' }, b: { anyOf: [text, { type: 'null' }], default: null, 'x-own': 1 } },
    required: ['a'],
    additionalProperties: false,
    $defs: { a: { type: 'string', pattern: '^a', format: 'uuid', enum: ['a', null] } },
    description: 'Some',
  };
  expect(plainSchema(schema)).toEqual(schema);
});

test('properties that are no schemas are allowed, or left out', () => {
  expect(plainSchema({ type: 'object', properties: { a: true, b: false, c: null, d: text } }).properties).toEqual({
    a: {},
    d: text,
  });
});

test('a choice at the top becomes one object, which needs what each of them needs', () => {
  const one = { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] };
  const other = { type: 'object', properties: { a: { type: 'number' }, c: text }, required: ['a'] };
  for (const word of ['anyOf', 'oneOf']) {
    expect(plainSchema({ [word]: [one, other, { type: 'null' }] })).toEqual({
      type: 'object',
      properties: { a: text, b: text, c: text },
      required: ['a'],
    });
  }
  expect(plainSchema({ allOf: [one, other], properties: { z: text }, required: ['z'] })).toMatchObject({
    properties: { a: text, b: text, c: text, z: text },
    required: ['z', 'a', 'b'],
  });
});

test('what only one member of a choice needs is not needed, also where others name no properties', () => {
  const properties = { path: text, url: text };
  const choice = [{ type: 'object', required: ['path'] }, { required: ['url'] }];
  expect(plainSchema({ type: 'object', properties, anyOf: choice })).toEqual({ type: 'object', properties });
  expect(plainSchema({ type: 'object', properties, allOf: [{ required: ['url'] }] }).required).toEqual(['url']);
});

test('a reference at the top is followed, in circles not for ever', () => {
  const $defs = { a: { $ref: '#/$defs/b' }, b: { type: 'object', properties: { c: text } } };
  expect(plainSchema({ $ref: '#/$defs/a', $defs })).toEqual({ type: 'object', properties: { c: text }, $defs });
  expect(plainSchema({ anyOf: [{ $ref: '#/$defs/a' }], $defs }).properties).toEqual({ c: text });
  expect(plainSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }).type).toBe('object');
});
