import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TempHome } from '../setup/temp-home';

const root = resolve(__dirname, '../..');
const home = new TempHome();
afterAll(() => home.remove());

const checkout = join(home.directory, 'checkout');
const folders = ['bin', 'core', 'plugins', 'dist', 'package.json', 'package-lock.json', 'tsconfig.json'];

beforeAll(() => {
  for (const name of folders) {
    cpSync(join(root, name), join(checkout, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
});

const isFresh = () => (require(join(checkout, 'bin/is-fresh.js')) as { isFresh(): boolean }).isFresh();
const at = (file: string, time: Date) => utimesSync(join(checkout, file), time, time);
const before = new Date(0);

test('a build is fresh until a file that was compiled is saved, wherever that is', () => {
  expect(isFresh()).toBe(true);
  const sources = [
    'core/cli/processes/ps.ts',
    'plugins/chat-compat/index.ts',
    'core/dashboard/page/index.html',
    'core/dashboard/page/styles/page.css',
    'core/authoring/api.ts',
    'package-lock.json',
  ];
  for (const file of sources) {
    at(file, new Date());
    expect([file, isFresh()]).toEqual([file, false]);
    at(file, before);
  }
  expect(isFresh()).toBe(true);
});

test('a file that is gone makes it stale, as the one that took its place is not known', () => {
  rmSync(join(checkout, 'core/cli/terminal/print.ts'));
  expect(isFresh()).toBe(false);
  writeFileSync(join(checkout, 'core/cli/terminal/print.ts'), '');
  at('core/cli/terminal/print.ts', before);
  expect(isFresh()).toBe(true);
});

test('a plug-in that was added makes it stale, one that was removed does not', () => {
  mkdirSync(join(checkout, 'plugins/added'));
  writeFileSync(join(checkout, 'plugins/added/index.ts'), '');
  at('plugins/added/index.ts', before);
  expect(isFresh()).toBe(false);
  rmSync(join(checkout, 'plugins/added'), { recursive: true });
  rmSync(join(checkout, 'plugins/zeta'), { recursive: true });
  expect(isFresh()).toBe(true);
});
