import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkManifest } from '../../core/authoring/check/check-manifest';
import { bundledPlugins } from '../../core/plugins/discover';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
let count = 0;

/** What is not in order in a manifest, whose fields stand on a line each, from the sixth on. */
function faultsOf(fields: Record<string, unknown>): string[] {
  const directory = join(home.directory, String(++count), 'sample');
  mkdirSync(directory, { recursive: true });
  const whole = { apiVersion: 1, driver: 'sample', kind: 'http', main: './index.js', ...fields };
  const lines = Object.entries(whole).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  writeFileSync(join(directory, 'manifest.json'), `{\n${lines.join(',\n')}\n}`);
  const whyNot = ({ api }: { api: string }) => (api === 'messages' ? undefined : `no API ${api}`);
  const { findings } = checkManifest(directory, bundledPlugins(), whyNot);
  return findings
    .filter(({ status }) => status === 'failed' || status === 'warning')
    .map(({ code, status, message }) => `${code} ${status} ${message}`);
}

const option = (schema: object) => ({ options: { n: schema } });
const client = (more: object) => ({
  clients: [{ name: 'mine', title: 'M', programs: ['m'], api: 'messages', ...more }],
});
const ALIAS = bundledPlugins().flatMap(({ manifest }) => manifest?.aliases ?? [])[0]!;
const CLIENT = bundledPlugins().flatMap(({ manifest }) => manifest?.clients ?? [])[0]!.name;

test('a sound manifest has no fault', () => {
  const fields = {
    aliases: ['sample-two'],
    ...option({
      type: ['string', 'null'],
      enum: ['a', null],
      secret: true,
      anyOf: [{ items: [{ title: 'x' }] }, true],
    }),
    permissionOptions: ['n'],
    actsWithoutAsking: { anyOf: [{ properties: { n: { const: 'a' } }, required: ['n'] }] },
    ...client({}),
  };
  expect(faultsOf(fields)).toEqual([]);
});

test('a client may say only that the gateway does not have its API', () => {
  expect(faultsOf(client({ api: 'another' }))).toEqual([]);
});

test.each<[string, Record<string, unknown>, string]>([
  [
    'a type that there is not',
    option({ type: 'str' }),
    'M04 failed options.n.type: found the text "str", expected one of string, number',
  ],
  ['a list as a text', option({ enum: 'a,b' }), 'M04 failed options.n.enum: found the text "a,b", expected a list'],
  [
    'an annotation of ours as a text',
    option({ secret: 'yes' }),
    'M04 failed options.n.secret: found the text "yes", expected true or false',
  ],
  [
    'a description that is none',
    option({ description: 4 }),
    'M04 failed options.n.description: found the number 4, expected a text',
  ],
  [
    'a wrong keyword further down',
    option({ properties: { a: { items: { minLength: '1' } } } }),
    'M04 failed options.n.properties.a.items.minLength: found the text "1", expected a whole number',
  ],
  [
    'a pattern that is none',
    option({ pattern: '(' }),
    'M04 failed options.n.pattern: found the text "(", expected a regular expression',
  ],
  ['a schema that zod cannot use', option({ if: {}, then: {} }), 'M04 failed options.n: it cannot be used: '],
  [
    'an unknown keyword further down',
    option({ anyOf: [{ typ: 'string' }] }),
    'M05 warning options.n.anyOf[0].typ: no field',
  ],
  [
    'a condition on an option that there is not',
    { actsWithoutAsking: { properties: { mode: { const: 'x' } } } },
    'M04 failed actsWithoutAsking.properties.mode: the manifest declares no option mode',
  ],
  [
    'a condition that requires such an option',
    { actsWithoutAsking: { required: ['mode'] } },
    'M04 failed actsWithoutAsking.required[0]: the manifest declares no option mode',
  ],
  [
    'such an option in an alternative',
    { withoutCapabilities: { names: [], options: { anyOf: [{ properties: { tols: {} } }] } } },
    'M04 failed withoutCapabilities.options.anyOf[0].properties.tols: the manifest declares no option tols',
  ],
  ['an alias of a driver of ours', { aliases: [ALIAS] }, `M06 failed aliases[0]: "${ALIAS}" leads to the driver `],
  [
    'its own name as an alias',
    { aliases: ['sample'] },
    'M06 failed aliases[0]: "sample" is a name of this driver already',
  ],
  ['an alias twice', { aliases: ['b', 'b'] }, 'M06 failed aliases[1]: "b" is a name of this driver already'],
  [
    'an alias that is no name',
    { aliases: ['A b'] },
    'M06 failed aliases[0]: found "A b", expected a name of lower-case words',
  ],
  [
    'an API that the gateway does not have',
    client({ api: 'mesages', environment: { BASE_URL: '{url}' } }),
    'M09 warning clients[0].api: no API mesages',
  ],
  ['a client of ours', client({ name: CLIENT }), `M09 warning clients[0].name: a client "${CLIENT}" comes first`],
  ['a required option that there is not', { required: ['x'] }, 'M07 failed required[0]: x is no option'],
  [
    'an entry that init cannot write',
    { detect: { binaries: [{ names: ['b'], provider: { name: 'b', x: 1 } }] } },
    'M08 failed detect.binaries[0].provider.x: the manifest declares no such option',
  ],
])('%s is named, with its line', (_, fields, says) => {
  const [first, ...others] = faultsOf(fields);
  expect(first?.slice(0, says.length)).toBe(says);
  expect(first).toMatch(/ \(manifest\.json:6:\d+\)$/);
  expect(others).toEqual([]);
});
