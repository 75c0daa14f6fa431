import { existsSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../../../core/authoring/conformance/within';
import { freeRegistry } from '../../../plugins/gamma-cli/registry-lock';
import { TempHome } from '../../setup/temp-home';
import { HELLO, start } from './harness';

const before = process.env;
let home: TempHome;
let lock: string;

beforeEach(() => {
  home = new TempHome();
  process.env = { ...before, GEMINI_CLI_HOME: home.directory };
  lock = join(home.directory, '.gemini', 'projects.json.lock');
  mkdirSync(dirname(lock));
});

afterEach(() => {
  process.env = before;
  home.remove();
});

test('a lock that stays as it is has no holder, and goes', async () => {
  mkdirSync(lock);
  await freeRegistry();
  expect(existsSync(lock)).toBe(false);
});

test('an old one goes at once', async () => {
  mkdirSync(lock);
  await pause(600);
  await within(freeRegistry(), 'it did not go', 300);
  expect(existsSync(lock)).toBe(false);
});

test.each([
  ['touches', () => utimesSync(lock, new Date(), new Date())],
  [
    'gives up, and that another one takes',
    () => {
      rmdirSync(lock);
      mkdirSync(lock);
    },
  ],
])('a lock that its holder %s stays', async (_name, change) => {
  mkdirSync(lock);
  // Again and again: when it is looked at is not known.
  const holding = setInterval(change, 20);
  await freeRegistry();
  clearInterval(holding);
  expect(existsSync(lock)).toBe(true);
});

test('no run of Gemini CLI meets the lock that another one left, and none leaves it', async () => {
  const harness = await start();
  try {
    let met: boolean | undefined;
    harness.script(() => {
      met = existsSync(lock);
      mkdirSync(lock);
      return HELLO;
    });
    mkdirSync(lock);
    expect(await harness.text()).toBe('Hello');
    expect(met).toBe(false);
    await harness.driver.close();
    expect(existsSync(lock)).toBe(false);
  } finally {
    await harness.close();
  }
});
