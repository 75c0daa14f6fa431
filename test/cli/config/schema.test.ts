import Ajv from 'ajv/dist/2020';
import { COMMONJS } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

type Json = Record<string, unknown>;

interface Condition {
  if: { properties: { driver: { enum: string[] } } };
  then: { properties: Record<string, Json> };
}

interface FileSchema extends Json {
  properties: { providers: { items: { allOf: Condition[]; properties: Record<string, Json> } } };
}

const home = tempHome();

async function printSchema(...words: string[]): Promise<Json> {
  const { code, stdout, stderr } = await home.run('schema', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json;
}

/** What an editor would say of a file. */
const fits = (schema: Json, value: unknown) =>
  new Ajv({ strict: false, validateFormats: false }).compile(schema)(value);

describe('the schema of providers.yaml', () => {
  let schema: FileSchema;

  beforeAll(async () => {
    const options = {
      base_url: { default: 'http://localhost:1', description: 'Where the cage is' },
      feathers: { enum: ['red', 'green'], default: 'green', description: 'What colour' },
    };
    home.plugin('parrot', { code: COMMONJS, manifest: { aliases: ['polly'], options } });
    // None of these may be in it, nor in its way.
    const copy = { driver: 'parrot', options: { stolen: {} } };
    home.plugin('copy', { code: COMMONJS, manifest: copy, folder: '.config/drivebay/plugins/zz' });
    home.plugin('future', { code: COMMONJS, manifest: { apiVersion: 99 } });
    schema = (await printSchema()) as FileSchema;
  });

  const provider = (more: Json = {}) => ({ version: '1', providers: [{ name: 'a', driver: 'parrot', ...more }] });

  const whole = { default_model: 'm', max_tokens: 5, feathers: 'red', mode: 'call' };

  test.each<[boolean, string, Json]>([
    [true, 'a whole file', { ...provider(whole), default_provider: 'a' }],
    [true, 'an empty file', {}],
    [true, 'a driver by its alias', provider({ driver: 'polly', feathers: 'green' })],
    [true, 'a project file that changes one field', { providers: [{ name: 'a', max_tokens: 7 }] }],
    [true, 'facts of models', provider({ models: { m: { context_window: 8000 } } })],
    [false, 'a provider without a name', { providers: [{ driver: 'parrot' }] }],
    [false, 'a driver that no plug-in provides', provider({ driver: 'dodo' })],
    [false, 'the driver of a plug-in that cannot be used', provider({ driver: 'future' })],
    [false, 'a wrong type of an option of core', provider({ timeout_sec: 'soon' })],
    [false, 'a value outside of a closed list', provider({ mode: 'fast' })],
    [false, 'a wrong value of a driver’s option', provider({ feathers: 'blue' })],
    [false, 'the same by its alias', provider({ driver: 'polly', feathers: 'blue' })],
    [false, 'a wrong value of a shared option', provider({ base_url: 5 })],
    [false, 'another version', { ...provider(), version: '2' }],
    [false, 'an unknown key at the top', { ...provider(), provider: [] }],
  ])('%s: %s', (isAccepted, _, file) => expect(fits(schema, file)).toBe(isAccepted));

  test('an option of one driver means nothing for another', () => {
    const { allOf, properties } = schema.properties.providers.items;
    const owners = allOf.filter(({ then }) => Object.hasOwn(then.properties, 'feathers'));
    expect(owners.map((each) => each.if.properties.driver.enum)).toEqual([['polly', 'parrot']]);
    expect(Object.keys(properties)).not.toContain('feathers');
    expect(JSON.stringify(schema)).not.toContain('stolen');
  });

  test('descriptions and defaults are there for the editor to show', () => {
    const { allOf, properties } = schema.properties.providers.items;
    for (const [name, option] of Object.entries(properties)) {
      expect([name, typeof option.description]).toEqual([name, 'string']);
    }
    const parrot = allOf.find((each) => each.if.properties.driver.enum.includes('polly'));
    expect(parrot?.then.properties).toMatchObject({
      feathers: { default: 'green', description: 'What colour' },
      base_url: { default: 'http://localhost:1', description: 'Where the cage is', type: 'string' },
    });
  });
});

test('--of manifest accepts a manifest and refuses a broken one', async () => {
  const schema = await printSchema('--of', 'manifest');
  const manifest = { apiVersion: 1, driver: 'parrot', kind: 'http', main: './index.js' };
  expect(fits(schema, manifest)).toBe(true);
  expect(fits(schema, { ...manifest, kind: 'pipe' })).toBe(false);
});
