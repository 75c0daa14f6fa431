import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkPlugin } from '../../core/authoring/check/check-plugin';
import { repository } from '../setup/repository';
import { check, expectMistake, factory, type Mistake, notOk, type Sample } from './checked-plugin';

test('a sound plug-in without package.json passes; what concerns publishing is skipped', async () => {
  const { driver, passed, findings } = await check({});
  expect({ driver, passed, faults: notOk(findings) }).toEqual({ driver: 'sample', passed: true, faults: [] });
  const skipped = findings.filter(({ status }) => status === 'skipped').map(({ code }) => code[0]);
  expect(new Set(skipped)).toEqual(new Set(['P']));
});

test('the example driver passes, its package included', async () => {
  const { findings } = await checkPlugin(join(repository, 'docs/examples/driver-echo'));
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
});

test.each<Mistake>([
  ['a manifest that is no JSON', 'M01', 'failed', /not JSON/, { text: '{' }],
  ['a manifest with a missing comma', 'M01', 'failed', /line 3,? column 2/, { text: '{\n "driver": "a"\n "kind": 1}' }],
  ['a field of the wrong type', 'M01', 'failed', /kind: found/, { manifest: { kind: 'tcp' } }],
  [
    'another version of the contract',
    'M02',
    'failed',
    /plug-in API 9.*upgrade drivebay/,
    { manifest: { apiVersion: 9 } },
  ],
  ['a folder with another name', 'M03', 'warning', /"other".*"sample"/, { manifest: { driver: 'other' } }],
  [
    'a default that is not allowed',
    'M04',
    'failed',
    /options\.n\.default: found the text "x", expected a whole number/,
    { manifest: { options: { n: { type: 'integer', default: 'x' } } } },
  ],
  ['an unknown field', 'M05', 'warning', /sumary/, { manifest: { sumary: 'x' } }],
  ['an unknown capability', 'M05', 'warning', /capabilities\.tool: /, { manifest: { capabilities: { tool: true } } }],
  ['the name of a bundled driver', 'M06', 'failed', /shadowed/, { manifest: { driver: bundledName() } }],
  ['a required option that is not declared', 'M07', 'failed', /base_url/, { manifest: { required: ['base_url'] } }],
  ['a module that throws', 'L01', 'failed', /no beak \(index\.js:1:\d+\)/, { code: 'throw new Error("no beak")' }],
  ['no factory', 'L02', 'failed', /found an object with the keys chat/, { code: 'exports.chat = 1' }],
  [
    'a factory that throws',
    'L05',
    'failed',
    /no wings \(index\.js:1:\d+\)/,
    { code: factory('throw new Error("no wings")') },
  ],
])('%s is %s', (...mistake) => expectMistake(...mistake));

function bundledName(): string {
  return readdirSync(join(repository, 'plugins')).find((name) => name !== '_shared') ?? '';
}

test('a main in TypeScript is told apart from a build that was not run', async () => {
  const source = { 'index.ts': 'export default () => ({});' };
  const build = { 'package.json': JSON.stringify({ scripts: { build: 'tsc' } }) };
  const adviceOf = async (sample: Sample) =>
    (await check(sample)).findings.find(({ code, status }) => code === 'L01' && status === 'failed')?.hint;
  expect(await adviceOf({ manifest: { main: './lib' }, files: { 'lib.ts': source['index.ts'] } })).toMatch(/with tsc/);
  expect(await adviceOf({ manifest: { main: './dist/index.js' }, files: { ...source, ...build } })).toBe(
    'build it first: npm run build',
  );
});

test('a package that is not built yet has no mistake in what npm publishes', async () => {
  const source = { 'index.ts': 'export default () => ({});' };
  const files = { ...source, 'package.json': JSON.stringify({ name: 'sample', version: '1.0.0', files: ['dist'] }) };
  const { findings } = await check({ manifest: { main: './dist/index.js' }, files });
  expect(findings.at(-1)).toMatchObject({ code: 'P08', status: 'skipped', message: 'dist/index.js is not there yet' });
});

test('every mistake of a package is named, each by its code', async () => {
  const { directory, findings } = await check({
    files: {
      'package.json': JSON.stringify({
        name: 'sample',
        version: '1.0.0',
        files: ['index.js'],
        scripts: { postinstall: 'touch was-run', prepack: 'touch was-run', prepare: 'touch was-run' },
        dependencies: { drivebay: '*' },
      }),
    },
  });
  expect(notOk(findings)).toEqual([
    ['P01', 'warning'],
    ['P02', 'failed'],
    ['P03', 'failed'],
    ['P04', 'warning'],
    ['P05', 'warning'],
    ['P06', 'warning'],
    ['P07', 'warning'],
    ['P08', 'failed'],
  ]);
  expect(findings.at(-1)?.message).toBe('npm leaves out manifest.json');
  expect(readdirSync(directory)).not.toContain('was-run');
});

test('a required option that nothing can be made up for leaves the factory uncalled, and says what to add', async () => {
  const options = { shelf: { type: 'string', pattern: '^shelf-[0-9]{4}$' } };
  const code = factory(`throw new Error('was called')`);
  const { passed, findings } = await check({ code, manifest: { options, required: ['shelf'] } });
  expect(passed).toBe(true);
  expect(findings.find((finding) => finding.code === 'L05')).toMatchObject({
    status: 'skipped',
    message: expect.stringContaining('shelf: give "examples"'),
  });
});
