import { z } from 'zod';
import { COMMONJS } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

type Json = Record<string, unknown>;

interface Condition {
  if: { properties: { driver: { enum: string[] } } };
  then: { properties: Record<string, Json> };
}

const home = tempHome();

async function printSchema(...words: string[]): Promise<Json> {
  const { code, stdout, stderr } = await home.run('schema', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json;
}

const schemaOf = (schema: Json) => z.fromJSONSchema(schema);

/**
 * What an editor would say of a file. zod reads no conditions, so the branch of each provider's driver is applied here,
 * exactly as `if` and `then` are defined.
 */
function accepts(schema: Json, file: { providers?: Json[] }): boolean {
  const properties = schema.properties as { providers: { items: Json & { allOf: Condition[] } } };
  const { allOf, ...items } = properties.providers.items;
  const outer = { ...schema, properties: { ...properties, providers: { type: 'array' } } };
  if (!schemaOf(outer).safeParse(file).success) return false;
  return (file.providers ?? []).every((provider) => {
    const branches = allOf.filter((each) => each.if.properties.driver.enum.includes(String(provider.driver)));
    return [items, ...branches.map(({ then }) => ({ type: 'object', ...then }))].every(
      (each) => schemaOf(each).safeParse(provider).success,
    );
  });
}

describe('the schema of providers.yaml', () => {
  let schema: Json;

  beforeAll(async () => {
    home.plugin('parrot', {
      code: COMMONJS,
      manifest: {
        aliases: ['polly'],
        options: {
          base_url: { default: 'http://localhost:1', description: 'Where the cage is' },
          feathers: { enum: ['red', 'green'], default: 'green', description: 'What colour' },
        },
      },
    });
    // None of these may be in it, nor in its way.
    home.plugin('copy', {
      code: COMMONJS,
      manifest: { driver: 'parrot', options: { stolen: {} } },
      folder: '.config/drivebay/plugins/zz',
    });
    home.plugin('future', { code: COMMONJS, manifest: { apiVersion: 99 } });
    schema = await printSchema();
  });

  const provider = (more: Json = {}) => ({ version: '1', providers: [{ name: 'a', driver: 'parrot', ...more }] });

  test.each<[string, Json]>([
    [
      'a whole file',
      { ...provider({ default_model: 'm', max_tokens: 5, feathers: 'red', mode: 'call' }), default_provider: 'a' },
    ],
    ['an empty file', {}],
    ['a driver by its alias', { providers: [{ name: 'a', driver: 'polly', feathers: 'green' }] }],
    ['a project file that changes one field', { providers: [{ name: 'a', max_tokens: 7 }] }],
    ['facts of models', provider({ models: { m: { context_window: 8000 } } })],
  ])('accepts %s', (_, file) => {
    expect(accepts(schema, file)).toBe(true);
  });

  test.each<[string, Json]>([
    ['a provider without a name', { providers: [{ driver: 'parrot' }] }],
    ['a name with a colon', provider({ name: 'a:b' })],
    ['a driver that nobody provides', provider({ driver: 'dodo' })],
    ['the driver of a plug-in that cannot be used', provider({ driver: 'future' })],
    ['a wrong type of an option of core', provider({ timeout_sec: 'soon' })],
    ['a negative number', provider({ max_tokens: -1 })],
    ['a value outside of a closed list', provider({ mode: 'fast' })],
    ['a wrong value of a driver’s option', provider({ feathers: 'blue' })],
    ['the same by its alias', provider({ driver: 'polly', feathers: 'blue' })],
    ['a wrong value of a shared option', provider({ base_url: 5 })],
    ['another version', { ...provider(), version: '2' }],
    ['an unknown key at the top', { ...provider(), provider: [] }],
  ])('refuses %s', (_, file) => {
    expect(accepts(schema, file)).toBe(false);
  });

  test('an option of one driver means nothing for another', () => {
    const properties = schema.properties as { providers: { items: { allOf: Condition[]; properties: Json } } };
    const { allOf, properties: common } = properties.providers.items;
    const owners = allOf.filter(({ then }) => Object.hasOwn(then.properties, 'feathers'));
    expect(owners.map((each) => each.if.properties.driver.enum)).toEqual([['parrot', 'polly']]);
    expect(Object.keys(common)).not.toContain('feathers');
    expect(JSON.stringify(schema)).not.toContain('stolen');
  });

  test('descriptions and defaults are there for the editor to show', () => {
    const properties = schema.properties as {
      providers: { items: { allOf: Condition[]; properties: Record<string, Json> } };
    };
    for (const [name, option] of Object.entries(properties.providers.items.properties)) {
      expect([name, typeof option.description]).toEqual([name, 'string']);
    }
    const parrot = properties.providers.items.allOf.find((each) => each.if.properties.driver.enum.includes('polly'));
    expect(parrot?.then.properties).toMatchObject({
      feathers: { default: 'green', description: 'What colour' },
      base_url: { default: 'http://localhost:1', description: 'Where the cage is', type: 'string' },
    });
  });
});

test('--of manifest accepts a manifest and refuses a broken one', async () => {
  const schema = z.fromJSONSchema(await printSchema('--of', 'manifest'));
  const manifest = { apiVersion: 1, driver: 'parrot', kind: 'http', main: './index.js' };
  expect(schema.safeParse(manifest).success).toBe(true);
  expect(schema.safeParse({ ...manifest, kind: 'pipe' }).success).toBe(false);
});
