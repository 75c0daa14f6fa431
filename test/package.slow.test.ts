import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { FakeHttpServer, json } from 'drivebay/testing';
import { productVersion } from '../core/package';
import { followPage } from './docs/follow-page';
import { copyCheckout, type InstalledPackage, installPackage, installTarball } from './setup/installed-package';
import { nodeRelease } from './setup/node-release';
import { deadLinks } from './setup/page-links';
import { runCli } from './setup/run-cli';
import { RunningGateway } from './setup/running-gateway';
import { repository } from './setup/repository';
import { tempFolder } from './setup/temp-folder';
import { tempHome } from './setup/temp-home';

const run = promisify(execFile);
const work = tempFolder();
const OFFLINE = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(work);
});

test('a checkout without a build compiles itself once, also when two programs start at the same time', async () => {
  const copy = copyCheckout(join(work, 'unbuilt'));
  const start = () => run(join(copy, 'bin/cli'), ['--version']);
  const [first, second] = await Promise.all([start(), start()]);
  expect([first.stdout, second.stdout]).toEqual([`${productVersion}\n`, `${productVersion}\n`]);
  expect(first.stderr).toBe('drivebay: compiling once ...\n');
  expect((await start()).stderr).toBe('');
});

describe('the installed package', () => {
  const files = () =>
    readdirSync(installed.prefix, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  test('takes at most 15 MB, and brings no further package', () => {
    const bytes = files().reduce((sum, file) => sum + lstatSync(file).blocks * 512, 0);
    expect(bytes).toBeLessThan(15 * 1024 * 1024);
    expect(files().filter((file) => file.includes('/drivebay/node_modules'))).toEqual([]);
  });

  test('has what it needs, and nothing of the sources', () => {
    const top = readdirSync(installed.folder).sort();
    expect(top).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs', 'package.json', 'plugins'].sort(),
    );
    const inside = files().map((file) => relative(installed.folder, file));
    expect(inside.filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|^docs\/templates\//.test(file))).toEqual([]);
    expect(readFileSync(join(installed.folder, 'dist/THIRD-PARTY.txt'), 'utf8')).toContain(
      'Permission is hereby granted',
    );
  });

  test('its pages tell nothing of a clone’s first steps, and no link of them is dead', () => {
    const pages = files().filter((file) => file.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.flatMap(deadLinks)).toEqual([]);
    const readme = readFileSync(join(installed.folder, 'README.md'), 'utf8');
    expect(readme).toContain('npm install --global drivebay\ndrivebay serve --demo\n');
    expect(readme).not.toMatch(/<!--|npm ci|bin\/cli|clone/);
    const blocks = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)]);
    expect(blocks.map(([, block]) => block).filter((block) => /npm ci|bin\/cli/.test(block!))).toEqual([]);
  });

  test('gives the first answer of an own provider less than a minute after the tarball', async () => {
    const started = Date.now();
    const { program } = await installTarball(installed.tarball, join(work, 'again'));
    const home = tempHome();
    const server = await FakeHttpServer.start();
    server.answer(json({ choices: [{ message: { content: 'Hello from mine' }, finish_reason: 'stop' }] }));
    home.providers(`name: mine, driver: openai-compatible, base_url: "${server.url}", default_model: m`);
    const gateway = await RunningGateway.start([], { env: home.environment(), program });
    try {
      expect(await (await gateway.chat({ model: 'mine' })).text()).toContain('Hello from mine');
      expect(Date.now() - started).toBeLessThan(60_000);
    } finally {
      await gateway.stop();
      await server.close();
    }
  });

  test('its manual page stands where `man drivebay` looks', () => {
    const page = readFileSync(join(installed.prefix, 'share/man/man1/drivebay.1'), 'utf8');
    expect(page).toContain('.SS drivebay serve');
  });

  test.each(['README.md', 'package.json'])('the %s of the clone that was packed is as before', (name) => {
    const text = (folder: string) => readFileSync(join(folder, name), 'utf8');
    expect(text(join(work, 'clone'))).toBe(text(repository));
    expect(text(installed.folder)).not.toBe(text(repository));
    expect(readdirSync(join(work, 'clone')).filter((file) => file.startsWith('.kept'))).toEqual([]);
  });

  test('a reader who follows docs/writing-a-driver.md sees what it says', async () => {
    const home = tempHome();
    const env = home.environment({ ...OFFLINE, npm_config_prefix: installed.prefix });
    env.PATH = `${join(installed.prefix, 'bin')}:${env.PATH}`;
    await followPage('docs/writing-a-driver.md', { home, cwd: home.directory, env });
  });
});

describe.each([20, 22, 24])('the installed package on Node %i', (major) => {
  const home = tempHome();
  let node: string;
  const drivebay = (...words: string[]) =>
    runCli(words, { env: home.environment(), program: installed.program, node, cwd: home.directory });

  beforeAll(async () => {
    node = await nodeRelease(major, work);
  });

  test('writes a driver that installs without a registry and passes its cases', async () => {
    const { stdout } = await drivebay('plugins', 'new', 'untyped', '--kind', 'http');
    expect(stdout).toContain('\n  npm install\n  npm test\n');
    const cwd = join(home.directory, 'drivebay-driver-untyped');
    const env = { ...home.environment(), npm_config_update_notifier: 'false' };
    await run('npm', ['install', '--offline', '--no-audit'], { cwd, env });
    expect((await run('npm', ['test'], { cwd, env })).stdout).toMatch(/^# fail 0$/m);
  });

  test('writes a typed driver that compiles, passes its cases and answers', async () => {
    await drivebay('plugins', 'new', 'mine', '--kind', 'http', '--ts');
    const directory = join(home.directory, 'drivebay-driver-mine');
    link(directory, installed.folder);
    await run(node, [join(repository, 'node_modules/typescript/bin/tsc'), '--skipLibCheck', 'false'], {
      cwd: directory,
    });
    const { stdout } = await run(node, ['--test', '--test-reporter=tap'], { cwd: directory });
    expect(stdout).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(50);
    expect(await drivebay('plugins', 'check', directory)).toMatchObject({ code: 0, stderr: '' });
  });

  test('has the SDK of every driver in it: each sends its request', async () => {
    const server = await FakeHttpServer.start();
    server.answer(json({ error: { message: 'not today' } }, { status: 400 }));
    const shared = `base_url: "${server.url}", api_key_env: KEY, default_model: m`;
    home.providers(...SDK_DRIVERS.map(([driver]) => `name: ${driver}, driver: ${driver}, ${shared}`));
    const env = home.environment({ KEY: 'a-key-of-the-test' });
    const gateway = await RunningGateway.start([], { env, program: installed.program, node });
    try {
      for (const [model, path] of SDK_DRIVERS) {
        const answer = await (await gateway.chat({ model })).text();
        expect(answer).toContain('not today');
        expect(server.requests.map((request) => request.path)).toContainEqual(expect.stringMatching(path));
      }
    } finally {
      await gateway.stop();
      await server.close();
    }
  });
});

/** The drivers that use an SDK for HTTP, each with the path of its requests. */
const SDK_DRIVERS: [string, RegExp][] = [
  ['openai', /\/chat\/completions$/],
  ['anthropic', /\/v1\/messages/],
  ['gemini', /\/models\/m:/],
];

/** What `npm install` would put beside a driver, without asking a registry. */
function link(directory: string, drivebay: string): void {
  const modules = join(directory, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  symlinkSync(drivebay, join(modules, 'drivebay'));
  symlinkSync(join(repository, 'node_modules/@types/node'), join(modules, '@types/node'));
}
