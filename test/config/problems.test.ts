import { z } from 'zod';
import { placeOf, valueOf } from '../../core/config/located';
import { validate } from '../../core/config/problems';
import { commonOptions, sharedOptions } from '../../core/config/schema';
import { formatProblem } from '../../core/errors';
import { located } from './helpers';

const provider = z.looseObject({ ...commonOptions, ...sharedOptions }).partial();

function messagesOf(schema: z.ZodType, text: string, prefix = 'providers[0]'): string[] {
  return validate(schema, located(text), prefix).problems.map(formatProblem);
}

const oneProblem = (text: string, schema: z.ZodType = provider) => {
  const messages = messagesOf(schema, text);
  expect(messages).toHaveLength(1);
  return messages[0]?.replace(/^providers\.yaml:/, '').replace('providers[0].', '');
};

describe('a problem names the found and the expected value', () => {
  test.each([
    ['max_tokens: many', '1:13: max_tokens: found the text "many", expected a whole number of 0 or more'],
    ['max_tokens: -1', '1:13: max_tokens: found the number -1, expected a whole number of 0 or more'],
    ['max_tokens:', '1:1: max_tokens: found nothing, expected a whole number of 0 or more'],
    [
      'max_tokens: 1e20',
      '1:13: max_tokens: found the number 100000000000000000000, expected a whole number of 0 or more up to 9007199254740991',
    ],
    [
      'max_tokens: "10"',
      '1:13: max_tokens: found the text "10", expected a whole number of 0 or more; write it without quotes',
    ],
    ['cost_per_token: .inf', '1:17: cost_per_token: found the number Infinity, expected a number of 0 or more'],
    ['max_concurrency: 0', '1:18: max_concurrency: found the number 0, expected a whole number above 0'],
    ['mode: strem', '1:7: mode: found the text "strem", expected one of stream, call; did you mean stream?'],
    // Quotes would make no URL of it.
    ['base_url: 5', '1:11: base_url: found the number 5, expected an http or https URL'],
    ['default_model: 4', '1:16: default_model: found the number 4, expected a text; put it in quotes'],
    ['command: ""', '1:10: command: found an empty text, expected a text that is not empty'],
    ['extra_args: --x', '1:13: extra_args: found the text "--x", expected a list of texts; write it as a list: [...]'],
    ['extra_args: [--x, 5]', '1:19: extra_args[1]: found the number 5, expected a text; put it in quotes'],
    ['gateway_tools: yes', '1:16: gateway_tools: found the text "yes", expected true or false; write it as true'],
    ['list_models: off', '1:14: list_models: found the text "off", expected true or false; write it as false'],
    ['models: []', '1:9: models: found a list, expected a map'],
    [
      'models:\n  a b:\n    context_window: 0',
      '3:21: models["a b"].context_window: found the number 0, expected a whole number above 0',
    ],
    [
      'models: {m: {usd_per_mtok: {input: 1}}}',
      '1:28: models.m.usd_per_mtok.output: found nothing, expected a number of 0 or more',
    ],
    ['base_url: localhost', '1:11: base_url: found the text "localhost", expected an http or https URL'],
    [
      'name: a b',
      '1:7: name: found the text "a b", expected a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit',
    ],
  ])('%s', (text, message) => {
    expect(oneProblem(text)).toBe(message);
  });

  test('all fields are reported at once', () => {
    expect(messagesOf(provider, 'mode: x\nmax_tokens: y\ntimeout_sec: -1')).toHaveLength(3);
  });

  test('a field that fails several checks is reported once', () => {
    expect(messagesOf(provider, 'api_key_env: sk-live-12')).toHaveLength(1);
  });

  test('a single value has its whole path in the prefix', () => {
    const number = commonOptions.max_tokens ?? z.never();
    const { entries } = located('max_tokens: many') as { entries: Map<string, ReturnType<typeof located>> };
    const node = entries.get('max_tokens');
    if (!node) throw new Error('no node');
    expect(validate(number, node, 'providers[7].max_tokens').problems[0]?.message).toBe(
      'providers[7].max_tokens: found the text "many", expected a whole number of 0 or more',
    );
  });
});

describe('options of manifests, as JSON Schema', () => {
  const integer = { type: 'integer' } as const;
  test.each<[z.core.JSONSchema.JSONSchema, string, string]>([
    [
      { type: 'array', items: {}, minItems: 2, maxItems: 3 },
      '[1]',
      'found a list of 1, expected a list of at least 2 and at most 3 items',
    ],
    [{ type: 'array', uniqueItems: true }, '[1, 1]', 'v[1]: found the number 1, expected every item once'],
    [{ type: 'number', multipleOf: 5 }, '7', 'found the number 7, expected a number that is a multiple of 5'],
    [{ type: 'string', minLength: 3 }, 'ab', 'found the text "ab", expected a text of at least 3 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'found the text "ab", expected a text of at most 1 character'],
    [{ type: 'string', format: 'email' }, 'ab', 'found the text "ab", expected an e-mail address'],
    [{ type: 'string', format: 'ipv4' }, 'ab', 'found the text "ab", expected a text in the format "ipv4"'],
    [
      { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: integer },
      '{b: 1}',
      'v.b: found the key "b", expected a key that is a text that matches ^a',
    ],
    [{ type: 'object', minProperties: 1 }, '{}', 'found a map, expected a map of at least 1 key'],
    [
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      '[a, 5]',
      'v[1]: found the number 5, expected a text; put it in quotes',
    ],
    [
      { anyOf: [{ type: 'object', properties: { a: integer } }, { type: 'string' }] },
      '{a: x}',
      'v.a: found the text "x", expected a whole number',
    ],
    [
      {
        oneOf: [
          { type: 'number', minimum: 3 },
          { type: 'number', maximum: 5 },
        ],
      },
      '4',
      'found the number 4, expected only one of: a number of 3 or more or a number of at most 5',
    ],
    [{ enum: ['', 'low'] }, 'lov', 'found the text "lov", expected one of "", low; did you mean low?'],
    [
      { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'boolean' }] },
      'x',
      'found the text "x", expected a whole number of 1 or more and of at most 9 or true or false',
    ],
    [{ type: 'string', pattern: '^x' }, 'y', 'found the text "y", expected a text that matches ^x'],
    [{ type: ['string', 'null'] }, '[x]', 'found a list, expected a text or nothing'],
    [{ not: {} }, 'x', 'found the text "x", expected another value'],
    [{ const: 5 }, '4', 'found the number 4, expected 5'],
    [{ const: '5' }, '5', 'found the number 5, expected "5"; put it in quotes'],
    [{ enum: [true, 'auto'] }, '"true"', 'found the text "true", expected one of true, auto; write it without quotes'],
    [{ enum: ['8', 'true', 'x'] }, 'true', 'found true, expected one of "8", "true", x; put it in quotes'],
  ])('%j', (schema, text, message) => {
    const node = located(`v: ${text}`);
    const [problem] = validate(z.object({ v: z.fromJSONSchema(schema) }), node, '').problems;
    expect(problem && formatProblem(problem).replace(/^[^ ]* (v: )?/, '')).toBe(message);
  });
});

describe('unknown keys inside of a value', () => {
  const text = 'models:\n  m:\n    context_window: 8\n    context_windw: sk-secret-value\n';

  test('are warnings with the position of the key and a guess, without the value', () => {
    const { value, problems, warnings } = validate(provider, located(text), 'providers[0]');
    expect(problems).toEqual([]);
    expect(value).toMatchObject({ models: { m: { context_window: 8 } } });
    expect(JSON.stringify(value)).not.toContain('windw');
    expect(warnings.map(formatProblem)).toEqual([
      'providers.yaml:4:5: providers[0].models.m.context_windw: unknown key, ignored; did you mean context_window?',
    ]);
  });

  test('do not hide other problems', () => {
    const { value, problems, warnings } = validate(provider, located(`${text}mode: x\n`), 'p');
    expect(value).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([
      'p.mode: found the text "x", expected one of stream, call',
    ]);
    expect(warnings).toHaveLength(1);
  });
});

describe('a possible key is never printed', () => {
  test('a key instead of the name of a variable', () => {
    const message = oneProblem('api_key_env: sk-live-0123456789');
    expect(message).toBe(
      '1:14: api_key_env: found a text (not shown), expected the NAME of an environment variable ' +
        '(letters, digits and "_"); keys are never stored in config files',
    );
  });

  const anything = z.looseObject({
    mode: z.enum(['call']).optional(),
    auth_token: z.int().optional(),
    password: z.string().optional(),
    headers: z.record(z.string(), z.int()).optional(),
    max_tokens: z.int().optional(),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
  });
  test.each([
    ['a credential field', 'auth_token: hunter2', 'hunter2'],
    ['a number in a credential field', 'password: 31337', '31337'],
    ['a field below a credential field', 'headers: {Authorization: hunter2}', 'hunter2'],
    ['a text that looks like a key', 'mode: sk-hunter2', 'hunter2'],
    ['a long mixed text', 'mode: aB3aB3aB3aB3aB3aB3aB3', 'aB3'],
    ['a text that is long', `mode: ${'hunter2 '.repeat(10)}`, 'hunter2'],
    ['a URL with credentials', 'base_url: "user:hunter2@host"', 'hunter2'],
  ])('%s', (_, text, secret) => {
    const message = oneProblem(text, anything);
    expect(message).toContain('(not shown)');
    expect(message).not.toContain(secret);
  });

  test('the field in the prefix may be secret, the name of the provider is not', () => {
    const inPrefix = validate(z.int(), firstOf('- hunter2'), 'providers[0].api_key');
    expect(inPrefix.problems[0]?.message).toContain('(not shown)');
    const inName = validate(z.int(), firstOf('- many'), 'providers[monkey].max_tokens');
    expect(inName.problems[0]?.message).toBe(
      'providers[monkey].max_tokens: found the text "many", expected a whole number',
    );
  });

  function firstOf(text: string) {
    const list = located(text);
    const item = list.kind === 'list' ? list.items[0] : undefined;
    if (!item) throw new Error('no list');
    return item;
  }
});

test('control characters do not reach the terminal', () => {
  const message = oneProblem('mode: "\\e[31m\\x9b1m\\u202e"');
  expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(message).toContain('\\u001b[31m\\u009b1m\\u202e');
});

test('a key __proto__ does not reach the data', () => {
  const data = valueOf(located('__proto__: {mode: call}\nconstructor: x\n')) as Record<string, unknown>;
  expect(Object.getPrototypeOf(data)).toBe(Object.getPrototypeOf({}));
  expect(Object.entries(data)).toEqual([['constructor', 'x']]);
});

test('the place of a missing field is its map', () => {
  const tree = located('# first\nmodels:\n  m:\n    x: 1\n');
  const { problems } = validate(z.object({ name: z.string() }), tree, 'providers[0]');
  expect(problems).toEqual([
    { message: 'providers[0].name: found nothing, expected a text', place: placeOf(tree, []) },
  ]);
});
