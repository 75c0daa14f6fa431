import agentTools from '../../fixtures/agent-tools.json';
import { toNativeSchema } from '../../../plugins/zeta/schema';
import { refusedIn } from './refused-keywords';

type Fields = Record<string, unknown>;

/** What becomes of the schema of one argument. */
const argument = (schema: Fields | boolean) =>
  (toNativeSchema({ type: 'object', properties: { a: schema } })?.properties as Fields | undefined)?.a;

test.each<[string, Fields | boolean, Fields]>([
  ['an exclusive bound of whole numbers', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 }, { type: 'integer', minimum: 1, maximum: 8 }],
  ['an exclusive bound of numbers', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }],
  ['the older form of it', { type: 'number', minimum: 3, exclusiveMinimum: true }, { type: 'number', minimum: 3 }],
  ['a constant text', { const: 'x' }, { type: 'string', enum: ['x'] }],
  ['other constants', { type: 'boolean', const: true, description: 'Yes.' }, { type: 'boolean', description: 'Yes. One of: true' }],
  ['a list of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer', description: 'One of: 1, 2' }],
  ['a list with repetitions', { type: 'string', enum: ['a', 'a'] }, { type: 'string', enum: ['a'] }],
  ['a map', { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: { type: 'string' }, patternProperties: {} }, { type: 'object' }],
  ['a tuple', { type: 'array', prefixItems: [{ const: 'x' }, { type: 'number' }] }, { type: 'array', items: { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'number' }] } }],
  ['the older tuple', { type: 'array', items: [{ type: 'number' }], additionalItems: false }, { type: 'array', items: { type: 'number' } }],
  ['alternatives', { oneOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], default: null }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['parts', { allOf: [{ type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }, { properties: { c: true }, required: ['c', 'b'] }] }, { type: 'object', properties: { b: { type: 'string' }, c: {} }, required: ['b', 'c'] }],
  ['formats', { type: 'string', format: 'uri', pattern: '^h' }, { type: 'string' }],
  ['a format that is known', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
  ['several types', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ['anything', true, {}],
])('%s', (_, schema, expected) => {
  expect(argument(schema)).toEqual(expected);
}); // prettier-ignore

test('required names come once, and only those of properties', () => {
  const properties = { a: { type: 'string' } };
  expect(toNativeSchema({ $schema: 's', properties, required: ['a', 'a', 'lost', { toString: 1 }] })).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
});

test('a property may have the name of a keyword', () => {
  const properties = { const: { type: 'string' }, $schema: { type: 'number' }, required: { type: 'boolean' } };
  expect(toNativeSchema({ type: 'object', properties })).toEqual({ type: 'object', properties });
});

test('a reference is followed, one within itself or to nowhere is an object', () => {
  const $defs = {
    tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    'a/b': { type: 'string' },
  };
  const properties = {
    t: { $ref: '#/$defs/tree', description: 'd' },
    u: { $ref: '#/$defs/a~1b' },
    v: { $ref: '#/lost' },
  };
  expect(toNativeSchema({ type: 'object', $defs, properties })).toEqual({
    type: 'object',
    properties: {
      t: { type: 'object', description: 'd', properties: { kids: { type: 'array', items: { type: 'object' } } } },
      u: { type: 'string' },
      v: { type: 'object' },
    },
  });
});

test('definitions that double with each step do not make a schema without bounds', () => {
  const both = (name: string) => ({ type: 'object', properties: { l: { $ref: name }, r: { $ref: name } } });
  const steps = Array.from({ length: 60 }, (_, step) => [`d${step}`, both(`#/$defs/d${step + 1}`)]);
  const schema = { ...both('#/$defs/d0'), $defs: { ...Object.fromEntries(steps), d60: { type: 'string' } } };
  expect(JSON.stringify(toNativeSchema(schema)).length).toBeLessThan(20_000);
});

test('a function without arguments has no schema', () => {
  expect(toNativeSchema({ $schema: 's', type: 'object', properties: {}, additionalProperties: false })).toBeUndefined();
});

test('nothing that the vendor refuses is left, however deep', () => {
  const bad = { $schema: 's', $id: 'i', default: 1, not: {}, if: {}, then: {}, examples: [], uniqueItems: true, multipleOf: 2, propertyNames: {}, additionalProperties: {}, contentEncoding: 'x', minProperties: 1 }; // prettier-ignore
  const leaf = { ...bad, type: 'array', items: { ...bad, anyOf: [{ ...bad, type: 'string' }] } };
  const schema = { ...bad, type: 'object', properties: { a: leaf, b: { ...bad, allOf: [leaf] } } };
  expect(refusedIn(schema).length).toBeGreaterThan(10);
  expect(refusedIn(toNativeSchema(schema))).toEqual([]);
});

test('every tool of an agent program is declared without anything that the vendor refuses', () => {
  const schemas = agentTools.map(({ input_schema: schema }) => schema as Fields);
  expect(schemas.flatMap(refusedIn).length).toBeGreaterThan(50);
  const native = schemas.map(toNativeSchema);
  expect(native.flatMap(refusedIn)).toEqual([]);
  const names = (schema: Fields | undefined) => Object.keys((schema?.properties as Fields | undefined) ?? {});
  expect(native.map(names)).toEqual(schemas.map(names));
});
