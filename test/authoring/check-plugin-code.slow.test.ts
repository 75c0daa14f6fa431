import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkPlugin } from '../../core/authoring/check/check-plugin';
import { COMMONJS, ES_MODULE, HEALTHY } from '../setup/driver-code';
import { repository } from '../setup/repository';
import { check, expectMistake, factory, type Mistake, notOk } from './checked-plugin';

test.each(readdirSync(join(repository, 'plugins')).filter((name) => name !== '_shared'))(
  'the bundled plug-in %s passes',
  async (name) => {
    const { findings } = await checkPlugin(join(repository, 'plugins', name));
    expect(findings.filter(({ status }) => status !== 'ok' && status !== 'skipped')).toEqual([]);
  },
);

test.each<Mistake>([
  ['a module that ends the process', 'L01', 'failed', /ended the process, with code 3/, { code: 'process.exit(3)' }],
  ['a module that never ends', 'L01', 'failed', /did not end within its time/, { code: 'for (;;);', limitMs: 2_000 }],
  ['a main that is missing', 'L01', 'failed', /names no file/, { manifest: { main: './dist/index.js' } }],
  [
    'a module that prints',
    'L03',
    'failed',
    /stdout: "hello"/,
    { code: `process.stdout.write('hello\\n');${COMMONJS}` },
  ],
  [
    'a module that logs',
    'L03',
    'warning',
    /the plug-in prints by the console or to stderr: "hello"/,
    { code: `console.log('hello');${COMMONJS}` },
  ],
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
    { code: factory(`require('node:child_process').spawn(process.execPath, ['-e', '']); return ${HEALTHY};`) },
  ],
  [
    'a slow factory',
    'L03',
    'warning',
    /the factory took \d{4} ms/,
    { code: `module.exports = () => new Promise((done) => setTimeout(done, 1100, ${HEALTHY}));` },
  ],
  ['a driver without check', 'L05', 'failed', /an object with check/, { code: factory('return { chat() {} }') }],
  ['a factory that ends the process', 'L05', 'failed', /ended the process/, { code: factory('process.exit(0)') }],
  [
    'a rejected promise without a handler',
    'L06',
    'failed',
    /rejected.*stray/,
    { code: `Promise.reject(new Error('stray')); ${COMMONJS}` },
  ],
])('%s is %s', (...mistake) => expectMistake(...mistake));

test('an asynchronous factory that imports a module is in order', async () => {
  const code = "module.exports = async () => (await import('./driver.mjs')).driver;";
  const { findings } = await check({ code, files: { 'driver.mjs': `export const driver = ${HEALTHY};` } });
  expect(notOk(findings)).toEqual([]);
});
