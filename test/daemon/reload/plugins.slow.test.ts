import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonHome } from '../../setup/daemon-home';
import { RunningGateway } from '../../setup/running-gateway';
import { ask } from './gated-driver';

// The code of a plug-in that its author changes while the daemon runs.

const home = new DaemonHome();
let gateway: RunningGateway;

const CHAT = `async *chat() {
  yield { type: 'text', text: [word, more, process.uptime()].join(' ') };
  yield { type: 'finish', reason: 'stop' };
}, async check() {}`;
const commonJs = (word: string) => `const { more } = require('./lib/more');
const word = '${word}';
module.exports = () => ({ ${CHAT} });`;
const esModule = (word: string) => `import { more } from './lib/more.js';
const word = '${word}';
export default () => ({ ${CHAT} });`;

const reload = (...words: string[]) => home.run('reload', ...words);

beforeAll(async () => {
  home.plugin('common', { code: commonJs('one') });
  home.plugin('modern', { code: esModule('one') });
  home.plugin('still', { code: commonJs('same') });
  for (const name of ['common', 'still']) write(name, 'lib/more.js', "exports.more = 'first';");
  write('modern', 'lib/more.js', "export const more = 'first';");
  write('modern', 'package.json', '{ "type": "module" }');
  home.providers('name: common, driver: common', 'name: modern, driver: modern', 'name: still, driver: still');
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment(), cwd: home.directory });
});

afterAll(() => gateway.stop('SIGKILL'));

function write(plugin: string, file: string, code: string): string {
  return home.write(join('.config/drivebay/plugins', plugin, file), code);
}

const wordsOf = async (model: string) => {
  const { status, word, say } = await ask(gateway, `${model}:m`);
  return status === 200 ? `${word} ${say}` : status;
};

test.each([
  ['common', commonJs, (word: string) => `exports.more = '${word}';`],
  ['modern', esModule, (word: string) => `export const more = '${word}';`],
] as const)('%s: code that has changed runs after a reload, in each of its files', async (name, entry, library) => {
  expect(await wordsOf(name)).toBe('one first');
  write(name, 'index.js', entry('two'));
  expect((await reload()).stdout).toMatch(
    new RegExp(`changed +${name} \\(its plug-in\\)\n  kept +\\w+, still\nreloaded`),
  );
  expect(await wordsOf(name)).toBe('two first');
  write(name, 'lib/more.js', library('second'));
  await reload();
  expect(await wordsOf(name)).toBe('two second');
  // The same content as before is the same code.
  write(name, 'index.js', entry('one'));
  write(name, 'lib/more.js', library('first'));
  await reload();
  expect(await wordsOf(name)).toBe('one first');
  expect((await reload()).stdout).toContain('nothing has changed');
});

test.each([
  ['common', commonJs],
  ['modern', esModule],
] as const)('%s: code that cannot be loaded changes nothing, until it is mended', async (name, entry) => {
  expect(await wordsOf(name)).toBe('one first');
  write(name, 'index.js', `${entry('two')} }`);
  const { code, stderr } = await reload();
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`${name}/index.js: plug-in .* failed to load: .*; fix it and reload again`));
  expect(await wordsOf(name)).toBe('one first');
  expect((await reload('--dry-run')).code).toBe(2);
  write(name, 'index.js', entry('two'));
  expect((await reload()).code).toBe(0);
  expect(await wordsOf(name)).toBe('two first');
  write(name, 'index.js', entry('one'));
  await reload();
});

test('a manifest that has changed counts, and so does a plug-in that is new or gone', async () => {
  const options = { hello: { type: 'string', default: 'there' } };
  home.plugin('still', { code: commonJs('same'), manifest: { options } });
  expect((await reload()).stdout).toContain('  changed   still (hello, its plug-in)\n');
  const directory = home.plugin('later', { code: commonJs('late') });
  write('later', 'lib/more.js', "exports.more = 'first';");
  const entries = ['common', 'modern', 'still'].map((name) => `name: ${name}, driver: ${name}`);
  home.providers(...entries, 'name: later, driver: later');
  expect((await reload()).stdout).toContain('  added     later\n');
  expect(await wordsOf('later')).toBe('late first');
  rmSync(directory, { recursive: true });
  expect((await reload()).stderr).toContain('no plug-in provides driver "later"');
  expect(await wordsOf('later')).toBe('late first');
  home.providers(...entries);
  await reload();
  expect(await wordsOf('later')).toBe(404);
});

test('a plug-in that could not be loaded at the start is tried again, and is no reason against a reload before', async () => {
  home.plugin('broken', { code: 'throw new Error("not yet")' });
  const entries = ['common', 'modern', 'still', 'broken'].map((name) => `name: ${name}, driver: ${name}`);
  home.providers(...entries);
  const env = home.environment({ XDG_STATE_HOME: join(home.directory, 'other') });
  const own = await RunningGateway.start([], { env, cwd: home.directory });
  await own.untilOutput(/broken is offline/);
  own.child.kill('SIGHUP');
  await own.untilOutput(/the configuration was read again/);
  home.plugin('broken', { code: commonJs('mended') });
  write('broken', 'lib/more.js', "exports.more = 'first';");
  own.child.kill('SIGHUP');
  await own.untilOutput(/broken is healthy/);
  expect(await ask(own, 'broken:m')).toMatchObject({ word: 'mended' });
  await own.stop();
});
