import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TempHome } from '../setup/temp-home';
import { runCli } from '../setup/run-cli';

const root = resolve(__dirname, '../..');
const home = new TempHome();
afterAll(() => home.remove());

/** An installed copy, with a cache of its own. */
const copy = join(home.directory, 'copy');
const program = join(copy, 'bin/cli');
const run = (words: string[], env: Record<string, string> = {}) =>
  runCli(words, { env: { ...home.environment(), ...env }, program });

beforeAll(() => {
  mkdirSync(copy);
  cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  cpSync(join(root, 'dist/cli.js'), join(copy, 'dist/cli.js'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

/** Each file with its inode: one that was saved again has another. */
function cached(): Record<string, number> {
  const folder = join(copy, 'dist/code');
  return Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));
}

// Node 22 and later do it by themselves.
const own = process.versions.node.startsWith('20.') ? test : test.skip;

own('a command saves compiled code once, and the next one takes it as it is', async () => {
  expect((await run(['ps', '-a'])).code).toBe(0);
  const first = cached();
  expect(Object.keys(first)).toEqual([expect.stringMatching(/^ps-/)]);
  expect((await run(['ps', '-a'])).code).toBe(0);
  expect(cached()).toEqual(first);
});

own('a start with other flags of V8 does not disturb it', async () => {
  const first = cached();
  await run(['ps', '-a'], { NODE_OPTIONS: '--max-semi-space-size=8' });
  expect((await run(['ps', '-a'])).code).toBe(0);
  expect(cached()).toMatchObject(first);
  expect(Object.keys(cached())).toHaveLength(2);
});
