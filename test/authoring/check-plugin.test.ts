import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckCode, Finding } from '../../core/authoring/check/check-codes';
import { checkPlugin } from '../../core/authoring/check/check-plugin';
import { COMMONJS, ES_MODULE, HEALTHY } from '../setup/driver-code';
import { repository } from '../setup/source-files';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
let count = 0;

interface Sample {
  manifest?: Record<string, unknown>;
  code?: string;
  main?: string;
  /** The text of manifest.json in place of a sound one. */
  text?: string;
  files?: Record<string, string>;
  limitMs?: number;
}

/** A plug-in called `sample`, in a folder of that name. */
async function check({ manifest = {}, code = COMMONJS, main = './index.js', text, files = {}, limitMs }: Sample) {
  const folder = `${++count}/sample`;
  const directory = home.plugin('sample', { folder, code, main, manifest });
  if (text !== undefined) home.write(`${folder}/manifest.json`, text);
  for (const [name, content] of Object.entries(files)) home.write(`${folder}/${name}`, content);
  return checkPlugin(directory, limitMs === undefined ? {} : { limitMs });
}

const notOk = (findings: Finding[]) =>
  findings
    .filter(({ status }) => status === 'failed' || status === 'warning')
    .map(({ code, status }) => [code, status]);

test('a sound plug-in without package.json passes; what concerns publishing is skipped', async () => {
  const { driver, passed, findings } = await check({});
  expect({ driver, passed, faults: notOk(findings) }).toEqual({ driver: 'sample', passed: true, faults: [] });
  const skipped = findings.filter(({ status }) => status === 'skipped').map(({ code }) => code[0]);
  expect(new Set(skipped)).toEqual(new Set(['P']));
});

test.each(readdirSync(join(repository, 'plugins')).filter((name) => name !== '_shared'))(
  'the bundled plug-in %s passes',
  async (name) => {
    const { findings } = await checkPlugin(join(repository, 'plugins', name));
    expect(findings.filter(({ status }) => status !== 'ok' && status !== 'skipped')).toEqual([]);
  },
);

test('the example driver passes, its package included', async () => {
  const { findings } = await checkPlugin(join(repository, 'docs/examples/driver-echo'));
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
});

const throws = (statement: string) => `module.exports = () => { ${statement} };`;

test.each<[name: string, code: CheckCode, status: 'failed' | 'warning', says: RegExp, sample: Sample]>([
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
    /options\.n: its default/,
    { manifest: { options: { n: { type: 'integer', default: 'x' } } } },
  ],
  ['an unknown field', 'M05', 'warning', /sumary/, { manifest: { sumary: 'x' } }],
  ['an unknown capability', 'M05', 'warning', /capabilities\.tool /, { manifest: { capabilities: { tool: true } } }],
  [
    'a misspelled keyword of a schema',
    'M05',
    'warning',
    /options\.n\.enmu is not a field/,
    { manifest: { options: { n: { enmu: ['a'] } } } },
  ],
  ['the name of a bundled driver', 'M06', 'failed', /shadowed/, { manifest: { driver: bundledName() } }],
  ['a required option that is not declared', 'M07', 'failed', /base_url/, { manifest: { required: ['base_url'] } }],
  ['a module that throws', 'L01', 'failed', /no beak \(index\.js:1:\d+\)/, { code: 'throw new Error("no beak")' }],
  ['a module that ends the process', 'L01', 'failed', /ended the process, with code 3/, { code: 'process.exit(3)' }],
  ['a module that never ends', 'L01', 'failed', /did not end within its time/, { code: 'for (;;);', limitMs: 2_000 }],
  ['a main that is missing', 'L01', 'failed', /names no file/, { manifest: { main: './dist/index.js' } }],
  ['no factory', 'L02', 'failed', /found an object with the keys chat/, { code: 'exports.chat = 1' }],
  [
    'a module that prints',
    'L03',
    'failed',
    /stdout: "hello"/,
    { code: `process.stdout.write('hello\\n');${COMMONJS}` },
  ],
  ['a module that logs', 'L03', 'warning', /stderr: "hello"/, { code: `console.log('hello');${COMMONJS}` }],
  [
    'a slow module',
    'L03',
    'warning',
    /took \d{4} ms/,
    { code: `await new Promise((done) => setTimeout(done, 1100)); ${ES_MODULE}`, main: './index.mjs' },
  ],
  [
    'a factory that connects',
    'L04',
    'failed',
    /opens a connection/,
    {
      code: `module.exports = ({ http }) => { http.request('http://127.0.0.1:9/', { signal: new AbortController().signal }).catch(() => 0); return ${HEALTHY}; };`,
    },
  ],
  [
    'a module that starts a process',
    'L04',
    'failed',
    /opens .*a process/,
    { code: `require('node:child_process').spawn(process.execPath, ['-e', '']).unref(); ${COMMONJS}` },
  ],
  [
    'a factory that starts a process',
    'L04',
    'failed',
    /opens .*a process/,
    { code: throws(`require('node:child_process').spawn(process.execPath, ['-e', '']); return ${HEALTHY};`) },
  ],
  [
    'a factory that throws',
    'L05',
    'failed',
    /no wings \(index\.js:1:\d+\)/,
    { code: throws('throw new Error("no wings")') },
  ],
  ['a driver without check', 'L05', 'failed', /an object with check/, { code: throws('return { chat() {} }') }],
  ['a factory that ends the process', 'L05', 'failed', /ended the process/, { code: throws('process.exit(0)') }],
  [
    'a rejected promise without a handler',
    'L06',
    'failed',
    /rejected.*stray/,
    { code: `Promise.reject(new Error('stray')); ${COMMONJS}` },
  ],
])('%s is %s', async (_, code, status, says, sample) => {
  const { passed, findings } = await check(sample);
  expect(notOk(findings)).toContainEqual([code, status]);
  expect(findings.find((finding) => finding.code === code && finding.status === status)?.message).toMatch(says);
  expect(passed).toBe(status === 'warning');
});

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

test('every mistake of a package is named, each by its code', async () => {
  const { findings } = await check({
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
  expect(readdirSync(join(home.directory, String(count), 'sample'))).not.toContain('was-run');
});

test('a required option that nothing can be made up for leaves the factory uncalled, and says what to add', async () => {
  const options = { shelf: { type: 'string', pattern: '^shelf-[0-9]{4}$' } };
  const code = throws(`throw new Error('was called')`);
  const { passed, findings } = await check({ code, manifest: { options, required: ['shelf'] } });
  expect(passed).toBe(true);
  expect(findings.find((finding) => finding.code === 'L05')).toMatchObject({
    status: 'skipped',
    message: expect.stringContaining('shelf: give "examples"'),
  });
});
