import { z } from 'zod';
import { commonOptions, fileSchema, sharedOptions } from '../../core/config/schema';

const accepts = (name: string, value: unknown) => {
  const schema = commonOptions[name] ?? sharedOptions[name];
  if (!schema) throw new Error(`no option ${name}`);
  return schema.safeParse(value).success;
};

test.each([
  ['name', ['a', 'A.b_c-1', '0'], ['', '-a', 'a b', 'a:b', 'a/b', 'ä', 'a\n', 5]],
  ['driver', ['x'], ['', null]],
  ['default_model', ['', 'm'], [5]],
  ['mode', ['stream', 'call'], ['', 'Stream', 'sse']],
  ['max_tokens', [0, 5], [-1, 1.5, '5', null]],
  ['cost_per_token', [0, 0.5, 1e-9], [-0.1, '0', Infinity, NaN]],
  ['timeout_sec', [0, 300], [-1, 0.5]],
  ['models', [{}, { m: {} }, { m: { context_window: 1 } }], [[], { m: { context_window: 0 } }, { m: null }]],
  ['models', [{ m: { usd_per_mtok: { input: 0, output: 0.5 } } }], [{ m: { usd_per_mtok: 1 } }]],
  ['price_table', ['prices.json', ''], [5, []]],
  ['max_concurrency', [1], [0, -1, 1.5]],
  ['base_url', ['http://127.0.0.1:1', 'https://host/v1'], ['', 'host/v1', 'ftp://host', 'http://', 'file:///x']],
  ['api_key_env', ['MY_KEY', '_k1', 'SK_API_KEY', 'lower_case_name_number_2'], ['', '1A', 'A-B', '$KEY', 'sk-live-1']],
  ['command', ['agent', '/opt/a b/agent'], ['', 5]],
  ['extra_args', [[], ['--x', '']], ['--x', [5]]],
  ['grace_sec', [0, 20], [-1, 1.5]],
  ['thinking_budget', [0, 1024], [-1, '0']],
  ['reasoning_effort', ['', 'HIGH'], [5]],
  ['gateway_tools', [true, false], ['yes', 0]],
])('%s takes its values and no others', (name, good, bad) => {
  expect(good.filter((value) => !accepts(name, value))).toEqual([]);
  expect(bad.filter((value) => accepts(name, value))).toEqual([]);
});

test('a key is refused even when it is a valid variable name', () => {
  const keys = ['sk_live_abcdef', 'AbCdEfGhIjKlMnOpQrSt0123456789', 'deadbeefdeadbeefdeadbeef01234567'];
  expect(keys.filter((key) => accepts('api_key_env', key))).toEqual([]);
});

test('absent options have the defaults of the specification', () => {
  const defaults = Object.entries(commonOptions).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  expect(Object.fromEntries(defaults)).toEqual({
    list_models: false,
    mode: 'stream',
    max_tokens: 0,
    cost_per_token: 0,
    timeout_sec: 0,
    models: {},
  });
});

test('every option and every top-level key is described in its JSON Schema', () => {
  const options = { ...commonOptions, ...sharedOptions, ...fileSchema.shape };
  for (const schema of Object.values(options)) {
    expect(z.toJSONSchema(schema, { io: 'input' }).description).toMatch(/.{15}/);
  }
});
