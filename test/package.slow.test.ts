import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { productVersion } from '../core/package';
import { freePort } from './setup/running-gateway';

const run = promisify(execFile);
const root = resolve(__dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'drivebay-package-'));

afterAll(() => rmSync(work, { recursive: true, force: true }));

/** The checkout as it is cloned: without packages, without a build. */
function copyCheckout(name: string): string {
  const copy = join(work, name);
  cpSync(root, copy, { recursive: true, filter: (path) => !/\/(node_modules|dist|\.git|\.dist-[^/]*)$/.test(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

test('a checkout without a build compiles itself once, also when two programs start at the same time', async () => {
  const copy = copyCheckout('unbuilt');
  const start = () => run(join(copy, 'bin/cli'), ['--version']);
  const [first, second] = await Promise.all([start(), start()]);
  expect([first.stdout, second.stdout]).toEqual([`${productVersion}\n`, `${productVersion}\n`]);
  expect(first.stderr).toBe('drivebay: compiling once ...\n');
  expect((await start()).stderr).toBe('');
});

/** The dashboard's. */
const PAGE = ['index.html', 'page.js', 'style.css'].flatMap((name) => [`dashboard/${name}`, `dashboard/${name}.gz`]);

test('the packed tarball installs in a clean folder and streams an answer', async () => {
  // Packing writes into the package's folder, so it happens in a copy.
  const copy = copyCheckout('copy');
  await run('npm', ['pack', '--pack-destination', work], { cwd: copy });
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'))!;

  const clean = join(work, 'clean');
  cpSync(join(root, 'LICENSE'), join(clean, 'LICENSE'));
  writeFileSync(join(clean, 'package.json'), '{"private": true}');
  await run('npm', ['install', '--prefer-offline', join(work, tarball)], { cwd: clean });
  const { stdout } = await run('tar', ['-tzf', join(work, tarball)]);
  expect(stdout).toContain('package/npm-shrinkwrap.json');
  for (const file of [
    'types/core/contract/api.d.ts',
    'types/core/authoring/api.d.ts',
    'plugin.js',
    'testing.js',
    ...PAGE,
  ]) {
    expect(stdout).toContain(`package/dist/${file}\n`);
  }
  const names = `import('drivebay/testing').then((kit) => console.log(Object.keys(kit).join()))`;
  expect((await run(process.execPath, ['-e', names], { cwd: clean })).stdout).toContain('conformanceCases');

  const program = join(clean, 'node_modules/.bin/drivebay');
  await run(program, ['plugins', 'new', 'parrot', '--kind', 'cli'], { cwd: clean });
  const checked = await run(program, ['plugins', 'check', 'drivebay-driver-parrot'], { cwd: clean });
  expect(checked.stdout).toMatch(/^parrot: \d+ ok$/m);

  const port = await freePort();
  const env = { PATH: process.env.PATH!, HOME: clean };
  const server = spawn(program, ['serve', '--demo', '--port', String(port)], { env });
  try {
    await once(server.stdout, 'data');
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'from a tarball' }] }),
    });
    const text = await response.text();
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join('')).toBe('from a tarball');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  } finally {
    // It still writes while it ends; the folder is removed after that.
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
}, 90_000);
