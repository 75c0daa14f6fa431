import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { productVersion } from '../../../core/package';
import { COMMONJS } from '../../setup/driver-code';
import { LiveCli } from '../../setup/live-cli';
import { freePort } from '../../setup/running-gateway';
import { DaemonHome } from '../../setup/daemon-home';
import { runCli } from '../../setup/run-cli';

const root = resolve(__dirname, '../../..');

/** The built program under another version. */
function otherVersion(home: DaemonHome): string {
  const copy = join(home.directory, 'other-version');
  for (const folder of ['bin', 'dist', 'plugins']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  const file = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...file, version: '0.0.1' }));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return join(copy, 'bin/cli');
}

test('a client of another version says so in one line, with what to type', async () => {
  const home = new DaemonHome();
  const program = otherVersion(home);
  await home.start();
  const { code, stderr } = await runCli(['ps'], { env: home.environment(), program });
  expect(code).toBe(0);
  expect(stderr).toContain(
    `note: the daemon runs version ${productVersion}, this is 0.0.1; run: drivebay daemon restart\n`,
  );
  // The daemon answers, and not the command.
  const words = ['serve', '--port', String(await freePort())];
  const gateway = new LiveCli(words, { env: home.environment(), program });
  await gateway.until(new RegExp(`^drivebay ${productVersion.replaceAll('.', '\\.')} is listening on`, 'm'));
  await gateway.signal('SIGINT').end();
  expect((await home.run('ps')).stderr).not.toContain('note:');
  await runCli(['daemon', 'restart'], { env: home.environment(), program });
  expect((await runCli(['ps'], { env: home.environment(), program })).stderr).not.toContain('note:');
});

describe('a project that was opened', () => {
  const home = new DaemonHome();
  const project = `${home.directory}/project`;
  /** Without the line that names the driver of the provider. */
  const status = async (env: Record<string, string> = {}) => {
    const { stdout, stderr } = await home.runIn(project, ['providers', 'status'], env);
    return { stdout, stderr: stderr.replace(/^[ab]: http driver locked\n/m, '') };
  };

  beforeAll(async () => {
    home.plugin('locked', { code: COMMONJS, manifest: { options: { api_key_env: {} } } });
    home.configure('version: "1"\nproviders:\n  - { name: a, driver: locked, api_key_env: KEY_ONE }\n');
    home.write('project/.drivebay/placeholder', '');
    await home.start({ KEY_ONE: 'the-first-value' });
  });

  test('says nothing while nothing has changed', async () => {
    expect((await status({ KEY_ONE: 'the-first-value' })).stderr).toBe('');
  });

  test('another value of a named variable is one line without a value in it', async () => {
    const line =
      'note: the daemon uses another KEY_ONE than this terminal has; to use that of this terminal, run: drivebay daemon restart\n';
    expect((await status({ KEY_ONE: 'another-value' })).stderr).toBe(line);
  });

  test('a terminal without the variable is told nothing, and cannot take it away by a restart', async () => {
    expect((await status()).stderr).toBe('');
    expect(await home.runIn(project, ['daemon', 'restart'])).toMatchObject({
      code: 1,
      stderr:
        'error: the daemon has KEY_ONE and this terminal has not: a restart here would lose it\n' +
        '  restart it in a terminal that has KEY_ONE; to do without: drivebay daemon stop\n',
    });
    expect((await status({ KEY_ONE: 'the-first-value' })).stderr).toBe('');
  });

  test('a variable that the project sets itself is not compared', async () => {
    home.write('project/.env', 'KEY_ONE=of-the-project\n');
    expect((await status({ KEY_ONE: 'another-value' })).stderr).toBe('');
    home.write('project/.env', '');
  });

  test('a changed file, and one that was not there, are named', async () => {
    const file = home.configure('version: "1"\nproviders:\n  - { name: b, driver: locked, api_key_env: KEY_ONE }\n');
    const added = home.write('project/.drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
    const { stdout, stderr } = await status({ KEY_ONE: 'the-first-value' });
    expect(stderr).toBe(`note: the daemon has read something else in ${file}, ${added}; run: drivebay reload\n`);
    expect(stdout).toMatch(/^a +http/m);
    home.write('project/.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: c, driver: lokced }\n');
    expect((await status({ KEY_ONE: 'the-first-value' })).stderr).toBe(
      `note: the daemon has read something else in ${file}, ${added}; ` +
        'the configuration has mistakes now: drivebay config check; then run: drivebay reload\n',
    );
    home.write('project/.drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
    await home.runIn(project, ['daemon', 'restart'], { KEY_ONE: 'the-first-value' });
    const fresh = await status({ KEY_ONE: 'the-first-value' });
    expect([fresh.stderr, fresh.stdout]).toEqual(['', expect.stringMatching(/^b +http/m) as string]);
  });
});
