import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../core/package';
import { manifestSchema, parseManifest, PLUGIN_API_VERSION } from '../../core/plugins/manifest';

const SMALLEST = { apiVersion: PLUGIN_API_VERSION, driver: 'parrot', kind: 'http', main: './index.js' };

const parse = (more: Record<string, unknown> = {}) => parseManifest(JSON.stringify({ ...SMALLEST, ...more }));

describe('a good manifest', () => {
  test('needs four fields; the others have defaults', () => {
    const { capabilities, ...manifest } = parse();
    expect(manifest).toEqual({
      ...SMALLEST,
      aliases: [],
      clients: [],
      permissionOptions: [],
      summary: '',
      options: {},
      required: [],
    });
    expect(Object.keys(capabilities)).toContain('tools');
    expect(new Set(Object.values(capabilities))).toEqual(new Set([false]));
  });

  test('may have fields of a later time', () => {
    expect(parse({ futureField: { a: 1 }, capabilities: { tools: true, smell: true } })).toMatchObject({
      futureField: { a: 1 },
      capabilities: { tools: true, smell: true, images: false },
    });
  });

  test.each(['parrot', 'p', 'parrot-2', 'a1-b2-c3'])('may call its driver %j', (driver) => {
    expect(parse({ driver }).driver).toBe(driver);
  });

  test('may name a shared option without a word about it, or with a default only', () => {
    const options = { api_key_env: {}, base_url: { default: 'http://localhost:1' } };
    expect(parse({ options }).options).toEqual(options);
  });

  test('may have an empty string as a default of a closed list that holds it', () => {
    expect(() => parse({ options: { level: { enum: ['', 'low'], default: '' } } })).not.toThrow();
  });
});

describe('a bad manifest is refused in one line that says what is wrong', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['no apiVersion', { apiVersion: undefined }, /apiVersion: /],
    ['apiVersion as a text', { apiVersion: '1' }, /apiVersion: /],
    [
      'no driver',
      { driver: undefined },
      /driver: found nothing, expected a name of lower-case words joined by hyphens/,
    ],
    ['capital letters in the driver', { driver: 'Parrot' }, /driver: found .*, expected lower-case words joined by/],
    ['two hyphens in the driver', { driver: 'a--b' }, /driver: found .*, expected lower-case/],
    ['an unknown kind', { kind: 'pipe' }, /kind: found the text "pipe", expected one of cli, http/],
    ['no main', { main: undefined }, /main: found nothing, expected a path that starts with "\.\/"/],
    ['main without ./', { main: 'index.js' }, /main: found .*, expected a path that starts with "\.\/"/],
    ['a main that climbs out', { main: './../evil.js' }, /main: found .*, expected a path inside the plug-in folder/],
    [
      'a permission option that is none',
      { permissionOptions: ['may_do'] },
      /permissionOptions\[0\]: .*no option may_do/,
    ],
    [
      'a capability to be without that it has not',
      { withoutCapabilities: { names: ['tools'], options: {} } },
      /withoutCapabilities\.names\[0\]: .*no capability tools/,
    ],
    [
      'a condition that is no schema',
      { withoutCapabilities: { names: [], options: { type: 'fast' } } },
      /withoutCapabilities\.options: .*fast/,
    ],
    ['options as a list', { options: [] }, /options: /],
    ['an option that is no schema', { options: { speed: 'fast' } }, /options\.speed: /],
    ['a type that JSON Schema does not have', { options: { speed: { type: 'fast' } } }, /options\.speed: .*fast/],
    ['a pattern that is no pattern', { options: { speed: { type: 'string', pattern: '(' } } }, /options\.speed: .*\(/],
    [
      'a default that its own schema refuses',
      { options: { speed: { type: 'integer', default: 'fast' } } },
      /options\.speed\.default: found the text "fast", expected a whole number \(manifest\.json:1:\d+\)$/,
    ],
    [
      'a default that the shared type refuses',
      { options: { base_url: { default: 'not a url' } } },
      /options\.base_url\.default: found the text "not a url", expected /,
    ],
  ])('%s', (_, more, message) => {
    expect(() => parse(more)).toThrow(message);
    expect(() => parse(more)).toThrow(/^manifest\.json is not valid: [^\n]*$/);
  });

  test('every mistake is named at once', () => {
    expect(() => parse({ driver: 'A', kind: 'x', main: 'y' })).toThrow(/driver: .*; kind: .*; main: /);
  });

  test.each(['', '{', '[1,', 'hello'])('%j is not JSON', (text) => {
    expect(() => parseManifest(text)).toThrow(/^manifest\.json is not JSON: /);
  });

  test.each(['null', '[]', '"text"', '1'])('%s is JSON, but no manifest', (text) => {
    expect(() => parseManifest(text)).toThrow(/^manifest\.json is not valid: the file: /);
  });
});

test.each([
  ['newer', PLUGIN_API_VERSION + 1, 'drivebay'],
  ['older', PLUGIN_API_VERSION - 1, 'the plug-in'],
])('a manifest for a %s contract says what to upgrade, whatever shape it has', (_, apiVersion, upgrade) => {
  expect(() => parseManifest(JSON.stringify({ apiVersion, drivers: { of: 'another time' } }))).toThrow(
    `it is written for plug-in API ${apiVersion}, this drivebay offers ${PLUGIN_API_VERSION}: upgrade ${upgrade}`,
  );
});

test('docs/manifest.schema.json is what the code accepts: write it anew with `bin/cli schema --of manifest`', () => {
  const file = readFileSync(join(packageRoot, 'docs', 'manifest.schema.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(manifestSchema, { io: 'input' }))));
});
