import { fitsStrict } from '../../../../core/gateway/dialects/messages/strict-schema';

const closed = (properties: object, required = Object.keys(properties)) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});
const text = { type: 'string' };

test.each<[string, boolean, unknown]>([
  ['an object that wants all', true, closed({ a: text, b: { type: ['string', 'null'] } })],
  ['an optional property', false, closed({ a: text, b: text }, ['a'])],
  ['an object that takes more', false, { type: 'object', properties: {}, required: [] }],
  ['no object', true, text],
  ['objects within', true, closed({ a: { type: 'array', items: closed({ b: text }) } })],
  ['an optional property within a list', false, closed({ a: { type: 'array', items: closed({ b: text }, []) } })],
  ['one within an alternative', false, closed({ a: { anyOf: [text, closed({ b: text }, [])] } })],
  [
    'one within a definition',
    false,
    { ...closed({ a: { $ref: '#/$defs/b' } }), $defs: { b: closed({ c: text }, []) } },
  ],
  ['a keyword that strict schemas do not have', false, closed({ a: { allOf: [text] } })],
])('%s: %s', (_name, fits, schema) => {
  expect(fitsStrict(schema)).toBe(fits);
});
