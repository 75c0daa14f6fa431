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
  const { findings } = checkManifest(directory, bundledPlugins());
  return findings
    .filter(({ status }) => status === 'failed' || status === 'warning')
    .map(({ code, status, message }) => `${code} ${status} ${message}`);
}

const option = (schema: object) => ({ options: { n: schema } });
const ALIAS = bundledPlugins().flatMap(({ manifest }) => manifest?.aliases ?? [])[0]!;

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
  };
  expect(faultsOf(fields)).toEqual([]);
});

test.each<[string, Record<string, unknown>, string]>([
  ['a type that does not exist', option({ type: 'str' }), 'M04 failed options.n: it cannot be used: '],
  [
    'a mark of a secret as a text',
    option({ secret: 'yes' }),
    'M01 failed options.n.secret: found the text "yes", expected true or false',
  ],
  ['a schema that zod cannot use', option({ if: {}, then: {} }), 'M04 failed options.n: it cannot be used: '],
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
