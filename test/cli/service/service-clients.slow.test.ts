import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../../core/config/client-keys';
import { runCli } from '../../setup/run-cli';
import { freePort } from '../../setup/running-gateway';
import { tempHome } from '../../setup/temp-home';
import { systemctlFor } from './fake-systemctl';

// Linux is where this runs: launchd has a test of its own (test/cli/service/launchd.test.ts).
const onLinux = process.platform === 'linux' ? test : test.skip;

const home = tempHome();
const file = join(home.directory, '.config/systemd/user/drivebay.service');
const PATH = `${join(home.directory, 'bin')}:${process.env.PATH ?? ''}`;
const env = home.environment({ PATH, EDITOR_KEY: 'key-of-the-editor' });

beforeAll(() => chmodSync(home.write('bin/systemctl', systemctlFor(file)), 0o755));
// Nothing of it may stay, also where the test fails.
afterEach(() => runCli(['service', 'uninstall'], { env }));

onLinux(
  'install names the key of a client that the service lacks, and with the line it asks for the key counts',
  async () => {
    const clients = `clients:
  - { name: editor, api_key_env: EDITOR_KEY }
  - { name: ci, key_sha256: ${digestOf('key-of-ci').toString('hex')} }
`;
    home.configure(
      `version: "1"\nproviders:\n  - { name: a, driver: chat-compat, base_url: "http://127.0.0.1:9/v1" }\n${clients}`,
    );
    const port = await freePort();
    const install = () => runCli(['service', 'install', '--port', String(port)], { env });
    const status = async (key: string) =>
      (await fetch(`http://127.0.0.1:${port}/v1/models`, { headers: { 'x-api-key': key } })).status;
    const note = 'the service has no EDITOR_KEY; add a line EDITOR_KEY=... to';
    const first = await install();
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(note)]);
    expect(first.stdout + first.stderr + readFileSync(file, 'utf8')).not.toContain('key-of-the-editor');
    expect([await status('key-of-the-editor'), await status('key-of-ci')]).toEqual([401, 200]);
    await runCli(['service', 'uninstall'], { env });
    home.write('.config/drivebay/service.env', 'EDITOR_KEY=key-of-the-editor\n');
    const again = await install();
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('EDITOR_KEY')]);
    expect(await status('key-of-the-editor')).toBe(200);
  },
);
