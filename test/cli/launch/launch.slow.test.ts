import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CrowHome, PROVIDERS } from './fake-client';

const home = new CrowHome();

const run = (...words: string[]) => home.run('launch', ...words);

async function look(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await run('crow', ...words, '--', 'look');
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a launch', () => {
  test('gives the program its settings, in variables, arguments and a private file, and nothing is left of it', async () => {
    const found = await look();
    expect(found).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      key: expect.stringMatching(/^drivebay-[\w-]{32}$/),
      model: 'main:m-1',
      small: 'main:m-1',
      window: '64000',
      old: null,
      mode: '600',
      config: { model: 'main:m-1', window: 64000 },
      cwd: home.directory,
    });
    expect(found.args).toEqual(['--config', found.file, '--', 'look']);
    expect(existsSync(found.file as string)).toBe(false);
    expect(readdirSync(`${home.state}/launch`)).toEqual([]);
    expect(await home.gateways()).toEqual([]);
  });

  test('lets the program ask the gateway with its key, and its output is its own', async () => {
    const { code, stdout, stderr } = await run('crow', '--', 'chat');
    expect([code, stdout]).toEqual([0, '{"status":200,"text":"it is m-1"}\n']);
    expect(stderr).toMatch(/^Crow on main:m-1, by the gateway http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test('asks for the models that the user chose', async () => {
    const found = await look('--provider', 'other', '--model', 'big', '--small-model', 'main:tiny');
    expect(found).toMatchObject({ model: 'other:big', small: 'main:tiny', window: null });
  });

  test('ends as the program does', async () => {
    expect((await run('crow', '--', 'exit', '7')).code).toBe(7);
  });

  test('gives the input to the program', async () => {
    const { code, stdout } = await home.launch('crow', '--', 'input').endInput('Grüße').end();
    expect([code, stdout]).toEqual([0, 'Grüße']);
  });

  test('says what the gateway warned of when the program has ended', async () => {
    const { stdout, stderr } = await run('crow', '--model', 'bad', '--', 'chat');
    // The status of the failure: a program would repeat 502.
    expect(JSON.parse(stdout)).toEqual({ status: 401 });
    expect(stderr).toMatch(/\nnote: the gateway of Crow warned:\n {2}warn +chat .*the model is bad/);
  });

  test('says before that a provider is down, and not once more at the end', async () => {
    const { stderr } = await run('crow', '--provider', 'down', '--', 'exit', '0');
    expect(stderr).toMatch(/^warning: down is offline: nobody is there.*\nCrow on down:d-1, by the gateway \S+\n$/);
  });

  test('says that a model with the name of a provider before it is the full name of a model', async () => {
    const { stderr } = await run('crow', '--model', 'other:o-1', '--', 'exit', '0');
    expect(stderr).toMatch(
      /^warning: --model "other:o-1" is the full name of a model; to ask provider "other": --prov/,
    );
    expect(stderr).toMatch(/^Crow on main:other:o-1, /m);
  });

  test('says before that a provider takes no tools, and which ones do', async () => {
    const { stderr } = await run('crow', '--provider', 'talks', '--', 'chat');
    expect(stderr).toMatch(
      /^note: talks takes no tools of clients, and Crow may need them; with tools: --provider main, other, down\n/,
    );
  });
});

test('--list says what is installed, how to install the rest, and what cannot be a client', async () => {
  const { code, stdout } = await run('--list');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^crow +Crow +ready +${home.bin}/crow$`, 'm'));
  expect(stdout).toMatch(/^magpie +Magpie +not installed +install: get magpie$/m);
  expect(stdout).toMatch(/^mute +Mute +impossible +it speaks the API song; the gateway has chat-completions, /m);
  const { clients } = JSON.parse((await run('--list', '--json')).stdout) as { clients: { name: string }[] };
  expect(clients.find(({ name }) => name === 'crow')).toEqual({
    ...{ name: 'crow', title: 'Crow', state: 'ready', path: `${home.bin}/crow`, install: 'brew install crow' },
    reason: null,
  });
});

test('--print prints a script that does the same at the gateway of `serve`, and starts nothing', async () => {
  const { code, stdout, stderr } = await run('crow', '--print', '--provider', 'other', '--', 'look', "it's");
  expect(code).toBe(0);
  expect(stderr).toBe('note: no gateway without a key is open for this folder; to open it: drivebay serve\n');
  const { code: status, stdout: found } = await home.sh(stdout).end();
  const folder = `${home.directory}/.config/drivebay/clients/crow`;
  expect(status).toBe(0);
  expect(JSON.parse(found)).toMatchObject({
    ...{ url: 'http://127.0.0.1:8080', key: 'unused', model: 'other:o-1', old: null, window: null },
    args: ['--config', `${folder}/deep/config.json`, '--', 'look', "it's"],
    config: { model: 'other:o-1' },
  });
});

test('a mistyped provider is told before the program that has to be installed', async () => {
  const { code, stderr } = await run('magpie', '--provider', 'mian');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: .*"mian"[^]*main/)]);
  expect((await run('magpie')).stderr).toMatch(/^error: Magpie: program not found: magpie[^]*get magpie/);
});

test('only the provider that is asked is looked at, and warned of', async () => {
  const checked = `${home.directory}/checked`;
  home.plugin('away', {
    code: `module.exports = ({ provider, error }) => ({
      async *chat() {},
      async check() {
        require('node:fs').appendFileSync(${JSON.stringify(checked)}, provider + ' ');
        throw error('unreachable', 'nothing is there');
      },
    });`,
  });
  home.configure(`${PROVIDERS}  - { name: x, driver: away }\n  - { name: y, driver: away }\n`);
  await home.run('reload');
  const { stderr } = await run('crow', '--provider', 'x', '--', 'until', checked);
  home.configure(PROVIDERS);
  expect(readFileSync(checked, 'utf8')).toBe('x ');
  expect(stderr).not.toContain('y is offline');
});

describe('where the gateway has clients', () => {
  beforeAll(() => home.configure(`${PROVIDERS}clients: [{ name: ci, api_key_env: CI_KEY }]\n`));
  afterAll(() => home.configure(PROVIDERS));

  test('a launch works all the same: its own gateway has a key of its own', async () => {
    const { code, stdout } = await run('crow', '--', 'chat');
    expect([code, stdout]).toEqual([0, '{"status":200,"text":"it is m-1"}\n']);
  });

  test('--print says whose key is wanted, and where it goes', async () => {
    const { code, stdout, stderr } = await run('crow', '--print');
    expect([code, stdout]).toEqual([0, expect.stringContaining('export CROW_KEY=KEY-OF-A-CLIENT\n')]);
    expect(stderr).toMatch(
      /^note: the gateway wants the key of a client: put it .* KEY-OF-A-CLIENT\n.*clients new NAME\n$/,
    );
  });
});
