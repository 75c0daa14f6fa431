import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../../core/subprocess/child-environment';
import { StartGate } from '../../core/subprocess/start-gate';
import { collect, failureOf, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

describe('a program that cannot be started', () => {
  test.each<[string, () => string, string, RegExp]>([
    ['is missing', () => '/no/such/tool', 'binary_missing', /\/no\/such\/tool/],
    [
      'has no execute bit',
      () => workshop.script('echo', '/bin/sh', 0o644),
      'binary_not_executable',
      /chmod \+x '\/.*'$/,
    ],
    ['is a folder', () => workshop.folder, 'binary_not_executable', /drivebay programs/],
    ['needs a missing interpreter', () => workshop.script('', '/no/such/one -x'), 'interpreter_missing', /such\/one,/],
  ])('%s', async (_, command, kind, text) => {
    const error = await failureOf(workshop.spawn(command()));
    expect(error).toMatchObject({ code: 'not_installed', kind });
    expect(`${error.message} ${error.hint}`).toMatch(text);
  });

  test('has no folder to work in, which is not the program’s fault', async () => {
    const cwd = join(workshop.folder, 'gone');
    const error = await failureOf(workshop.spawn('/bin/true', [], { cwd }));
    expect(error).toMatchObject({ code: 'rejected', kind: 'working_directory' });
    expect(error.message).toBe(`the working directory ${cwd} does not exist`);
  });

  test.each([
    ['is too large', 'x'.repeat(200_000)],
    ['holds a NUL', 'a\0b'],
  ])('gets an argument that %s', async (_, argument) => {
    expect(await failureOf(workshop.spawn('/bin/true', [argument]))).toMatchObject({
      code: 'invalid_request',
      kind: 'unusable_argument',
    });
  });

  test('leaves the next one alone', async () => {
    await failureOf(workshop.spawn('/no/such/tool'));
    expect(await collect((await workshop.shell('echo fine')).lines())).toEqual(['fine']);
  });
});

test('a program works in the folder it is given', async () => {
  const cwd = join(workshop.folder, 'deeper');
  mkdirSync(cwd);
  expect(await collect((await workshop.shell('pwd', { cwd })).lines())).toEqual([cwd]);
});

test('a service without a PATH still runs scripts that name node', async () => {
  const shop = new Workshop({ environment: { PATH: '/usr/bin:/bin' } });
  const tool = shop.script('console.log("ran")', '/usr/bin/env node');
  expect(await collect((await shop.spawn(tool)).lines())).toEqual(['ran']);
  await shop.close();
});

const NODE = dirname(process.execPath);

test.each([
  ['before an older one of the system', '/system:/bin', `/own:/system:/bin:${NODE}`],
  ['but both stay as the user ordered them', '/system:/own', `/system:/own:${NODE}`],
])('the Node beside a script comes first in its PATH: %s', (_, path, expected) => {
  expect(childEnvironment({ PATH: path }, {}, '/own/tool', 'm').PATH).toBe(expected);
});

test('between two starts everything else has a turn', async () => {
  const gate = new StartGate();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const start = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    return turns;
  };
  const seen = await Promise.all(Array.from({ length: 20 }, () => gate.run(start)));
  clearInterval(timer);
  expect(new Set(seen).size).toBe(20);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('a start that failed does not hold the next', async () => {
  const gate = new StartGate();
  const fails = gate.run(() => {
    throw new Error('no');
  });
  await expect(fails).rejects.toThrow('no');
  expect(await gate.run(() => 2)).toBe(2);
});

describe('the environment of a program', () => {
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: '/home/somebody',
    HTTPS_PROXY: 'http://proxy:3128',
    OTHER_KEY: 'other-secret',
    OWN_KEY: 'own-secret',
    DRIVEBAY_ENV: 'production',
    DRIVEBAY_RUN_ID: 'of-an-outer-run',
  };

  test('is the user’s own, without other keys and anything of ours but a marker and a depth', async () => {
    const shop = new Workshop({ environment, hidden: ['OTHER_KEY'] });
    const text = (await collect((await shop.spawn('/usr/bin/env', ['-0'])).lines())).join('\n');
    await shop.close();
    const seen = text
      .split('\0')
      .filter(Boolean)
      .map((entry) => /^([^=]*)=([^]*)$/.exec(entry)!.slice(1));
    const { DRIVEBAY_RUN_ID: marker, PATH: path, ...rest } = Object.fromEntries(seen) as Record<string, string>;
    const own = { HOME: '/home/somebody', HTTPS_PROXY: 'http://proxy:3128', OWN_KEY: 'own-secret' };
    expect(rest).toEqual({ ...own, DRIVEBAY_DEPTH: '1' });
    expect(marker).toMatch(/^\w*\.\d+\.\d+\.\d+$/);
    expect(path).toBe(`/usr/bin:/bin${['/usr/bin', '/bin'].includes(NODE) ? '' : `:${NODE}`}`);
  });

  test('takes the changes of the driver, but keeps its marker', () => {
    const env = { HOME: undefined, ADDED: 'a=b\nc', DRIVEBAY_RUN_ID: 'x', PATH: '/bin' };
    const changed = childEnvironment({ PATH: '/usr/bin', HOME: '/home', KEPT: 'kept' }, { env }, '/bin/tool', 'm', 2);
    expect(changed).toStrictEqual({
      ...{ KEPT: 'kept', ADDED: 'a=b\nc', PATH: '/bin' },
      ...{ DRIVEBAY_RUN_ID: 'm', DRIVEBAY_DEPTH: '2' },
    });
  });

  test('has the defaults of the driver for variables that are not set', () => {
    const env = { CHANGED: 'by the driver', REMOVED: undefined, PATH: '/bin' };
    const envDefaults = { HOME: '/default', CHANGED: 'default', RETRIES: '2', REMOVED: 'default' };
    expect(childEnvironment({ HOME: '/home' }, { env, envDefaults }, '/bin/tool', 'm')).toStrictEqual({
      DRIVEBAY_DEPTH: '1',
      HOME: '/home',
      CHANGED: 'by the driver',
      RETRIES: '2',
      PATH: '/bin',
      DRIVEBAY_RUN_ID: 'm',
    });
  });
});
