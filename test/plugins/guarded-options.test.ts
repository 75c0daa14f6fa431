import { guardOf } from '../../core/plugins/guarded-options';
import { parseManifest } from '../../core/plugins/manifest';
import { PluginRegistry } from '../../core/plugins/registry';
import { located } from '../config/helpers';

const OPTIONS = {
  base_url: { guarded: false },
  extra_args: {},
  reasoning_effort: {},
  endpoint: { type: 'string', format: 'uri' },
  folder: { type: 'string', format: 'path' },
  program: { type: ['string', 'null'], format: 'command' },
  mirrors: { type: 'array', items: { type: 'string', format: 'uri' } },
  either: { anyOf: [{ type: 'boolean' }, { type: 'string', format: 'uri' }] },
  headers: { type: 'object' },
  anything: {},
  home_page: { type: 'string', format: 'uri', guarded: false },
  profile: { type: 'string', guarded: true },
  sandbox: { enum: ['none', 'strict'] },
  volume: { type: 'integer' },
};

const plugin = { driver: 'parrot', directory: '', codeDirectory: '', source: 'user', state: 'unused' } as const;
const manifest = parseManifest(
  JSON.stringify({
    apiVersion: 1,
    driver: 'parrot',
    kind: 'http',
    main: './index.js',
    options: OPTIONS,
    permissionOptions: ['sandbox'],
  }),
);
const guard = guardOf(new PluginRegistry([{ ...plugin, manifest }]));

test.each<[option: string, value: string, isGuarded: boolean]>([
  ['base_url', 'text', true],
  ['extra_args', '[a]', true],
  ['reasoning_effort', 'high', false],
  ['endpoint', 'text', true],
  ['folder', 'text', true],
  ['program', 'text', true],
  ['mirrors', '[a]', true],
  ['either', 'true', true],
  ['headers', '{a: b}', true],
  ['anything', '{a: b}', true],
  ['anything', 'text', false],
  ['home_page', 'text', false],
  ['profile', 'text', true],
  ['sandbox', 'none', true],
  ['volume', '3', false],
  ['models', '{m: {context_window: 8}}', false],
  ['unknown', '{a: b}', false],
])('%s: %s', (option, value, isGuarded) => {
  expect(guard('parrot', option, located(value))).toBe(isGuarded);
});

test('an entry without a known driver has the options that core knows', () => {
  const options = ['command', 'extra_args', 'base_url', 'api_key_env', 'gateway_tools', 'endpoint'];
  expect(options.filter((option) => guard(undefined, option, located('x')))).toEqual(options.slice(0, 5));
  expect(options.filter((option) => guard('owl', option, located('x')))).toEqual(options.slice(0, 5));
});
