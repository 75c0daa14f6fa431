import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

test('a script runs on the Node that was installed beside it, not on an older one of the system', async () => {
  const [system, own] = [new Workshop(), new Workshop()];
  for (const [shop, version] of [
    [system, 18],
    [own, 22],
  ] as const) {
    writeFileSync(join(shop.folder, 'node'), `#!/bin/sh\necho ran on ${version}\n`, { mode: 0o755 });
  }
  const tool = own.script('', '/usr/bin/env node');
  const ranOn = async (path: string) => {
    const shop = new Workshop({ environment: { PATH: path } });
    const lines = await collect((await shop.spawn(tool)).lines());
    await shop.close();
    return lines;
  };
  expect(await ranOn(`${system.folder}:/usr/bin:/bin`)).toEqual(['ran on 22']);
  // With both on the PATH, the user's order counts.
  expect(await ranOn(`${system.folder}:${own.folder}:/usr/bin:/bin`)).toEqual(['ran on 18']);
  await Promise.all([system.close(), own.close()]);
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

  async function seen(
    env: Record<string, string | undefined> = {},
    envDefaults: Record<string, string> = {},
  ): Promise<Record<string, string>> {
    const shop = new Workshop({ environment, hidden: ['OTHER_KEY'] });
    const program = await shop.spawn('/usr/bin/env', ['-0'], { env, envDefaults });
    const text = (await collect(program.lines())).join('\n');
    await shop.close();
    return Object.fromEntries(
      text
        .split('\0')
        .filter(Boolean)
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );
  }

  test('is the user’s own, without other keys and anything of ours but a marker', async () => {
    const { DRIVEBAY_RUN_ID: marker, PATH: path, ...rest } = await seen();
    expect(rest).toEqual({ HOME: '/home/somebody', HTTPS_PROXY: 'http://proxy:3128', OWN_KEY: 'own-secret' });
    expect(marker).toMatch(/^\w*\.\d+\.\d+\.\d+$/);
    expect(path).toBe(
      `/usr/bin:/bin${['/usr/bin', '/bin'].includes(dirname(process.execPath)) ? '' : `:${dirname(process.execPath)}`}`,
    );
  });

  test('takes the changes of the driver, but keeps its marker', async () => {
    const { DRIVEBAY_RUN_ID: marker, ...rest } = await seen({
      HOME: undefined,
      ADDED: 'a=b\nc',
      OTHER_KEY: 'given',
      DRIVEBAY_RUN_ID: 'x',
      PATH: '/bin',
    });
    expect(rest).toEqual({
      HTTPS_PROXY: 'http://proxy:3128',
      OWN_KEY: 'own-secret',
      ADDED: 'a=b\nc',
      OTHER_KEY: 'given',
      PATH: '/bin',
    });
    expect(marker).not.toBe('x');
  });
  test('has the defaults of the driver for variables that are not set', async () => {
    const {
      DRIVEBAY_RUN_ID: _marker,
      PATH: _path,
      ...rest
    } = await seen(
      { CHANGED: 'by the driver', OWN_KEY: undefined },
      { HOME: '/default', CHANGED: 'default', RETRIES: '2', OWN_KEY: 'default', OTHER_KEY: 'default' },
    );
    expect(rest).toEqual({
      HOME: '/home/somebody',
      HTTPS_PROXY: 'http://proxy:3128',
      CHANGED: 'by the driver',
      RETRIES: '2',
      OTHER_KEY: 'default',
    });
  });
});
