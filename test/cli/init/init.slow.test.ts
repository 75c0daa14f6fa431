import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { LiveCli } from '../../setup/live-cli';
import { Machine } from '../../setup/machine';
import { cliPath } from '../../setup/run-cli';
import { RunningGateway } from '../../setup/running-gateway';
import { inTerminal, Terminal } from '../../setup/terminal';
import { json, Upstream } from '../../setup/upstream';

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const KEY = 'sk-planted-key-0123456789';

let machine: Machine;
let server: Upstream | undefined;

beforeEach(() => {
  machine = new Machine();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  machine.remove();
});

const env = { MAGPIE_KEY: KEY };
const init = (...words: string[]) => machine.runIn(machine.directory, ['init', ...words], env);
const initIn = (folder: string, ...words: string[]) => machine.runIn(folder, ['init', ...words]);
const configText = () => readFileSync(machine.config, 'utf8');

const OPTIONS = { api_key_env: {}, flavour: { default: 'plain', description: 'How it tastes' } };

/** One plug-in for each way to be found. */
async function equip(): Promise<void> {
  server = await Upstream.start();
  const eggs = [
    { id: 'rotten', fresh: false },
    { id: 'egg-1', fresh: true },
  ];
  server.answer(({ path }) => json(path === '/who' ? { product: 'nest' } : { eggs }));
  machine.program('woodpecker');
  machine.third('woodpecker', {
    kind: 'cli',
    aliases: ['pecker'],
    detect: { binaries: [{ names: ['woodpeck', 'woodpecker'], provider: { name: 'wood' } }] },
  });
  machine.third('magpie', {
    options: OPTIONS,
    detect: {
      keys: [
        { variables: ['MAGPIE_KEY'], models: ['shiny'], get: 'https://magpie.example', provider: { name: 'magpie' } },
      ],
    },
  });
  const fresh = { type: 'object', properties: { fresh: { const: true } } };
  machine.third('nest', {
    options: { base_url: {} },
    required: ['base_url'],
    detect: {
      ports: [
        {
          port: server.port,
          path: '/who',
          answer: { type: 'object', required: ['product'], properties: { product: { const: 'nest' } } },
          models: [{ path: '/eggs', list: 'eggs', name: 'id', only: fresh }],
          provider: { name: 'nest', base_url: server.url },
        },
      ],
    },
  });
}

test('backends of third-party plug-ins are found, asked and written, and serve runs on them', async () => {
  await equip();
  const { code, stdout, stderr } = await init('--yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/\nwood +program +\S+\/bin\/woodpecker +whether it is logged in is not known\n/);
  expect(stdout).toMatch(/\nnest +server +http:\/\/127\.0\.0\.1:\d+ +answers, model egg-1\n/);
  expect(stdout).toMatch(/\nmagpie +key +MAGPIE_KEY, from process environment +answers, model shiny\n/);
  const text = configText();
  expect(text).toContain('driver: pecker\n');
  expect(text).toContain('# flavour: plain  # How it tastes\n');
  expect(text).toContain('api_key_env: MAGPIE_KEY\n');
  expect(stdout + text).not.toContain(KEY);
  const check = await machine.run('config', 'check');
  expect(check).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(', 0 warnings') });
  const gateway = await RunningGateway.start([], { env: machine.environment(env) });
  const models = (await (await fetch(`http://127.0.0.1:${gateway.port}/v1/models`)).json()) as {
    data: { id: string }[];
  };
  await gateway.stop();
  expect(models.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['wood', 'nest:egg-1', 'magpie:shiny']));
});

test('the default is what costs nothing more: a program that is logged in, a server, then a key', async () => {
  await equip();
  // The program does not say whether it is logged in: it is not chosen while something answers for certain.
  expect((await init('--print')).stdout).toContain('\ndefault_provider: nest\n');
  await server!.close();
  server = undefined;
  expect((await init('--print')).stdout).toContain('\ndefault_provider: magpie\n');
});

describe('the route over everything that answers', () => {
  const ROUTE = /\nroutes:\n {2}- name: auto\n {4}targets: \[nest, magpie, wood\]\n$/;

  test('is written, the cheapest purse first, and is the default only when asked', async () => {
    await equip();
    const { stdout, stderr } = await init('--yes');
    expect(stdout).toContain(
      '\nRoute: auto is the first of these that can answer: nest, magpie, wood\nDefault: nest (',
    );
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('default: drivebay providers set-default auto\n')]);
    expect(configText()).toMatch(ROUTE);
    expect(configText()).toContain('\ndefault_provider: nest\n');
    expect(await machine.run('providers', 'set-default', 'auto')).toMatchObject({ code: 0 });
    expect(configText()).toContain('\ndefault_provider: auto\n');
    expect((await machine.run('config', 'check')).stdout).toContain(', 0 warnings');
  });

  inTerminal('can be chosen at the question for the default', async () => {
    await equip();
    const terminal = new Terminal({ environment: (more) => machine.environment({ ...env, ...more }) }, ['init']);
    await terminal.until(/Default provider \(nest, magpie, wood, auto\) \[nest\]: /);
    terminal.type('auto\r');
    await terminal.until(/Default: auto\r\n[^]*Write \S+\? \[Y\/n\] /);
    expect(await terminal.type('\r').end()).toMatchObject({ code: 0 });
    expect(configText()).toContain('\ndefault_provider: auto\n');
    expect(configText()).toMatch(ROUTE);
  });

  test('is left out where there is no choice, and where its name is taken', async () => {
    await equip();
    const detect = { binaries: [{ names: ['woodpecker'], provider: { name: 'auto' } }] };
    machine.third('woodpecker', { kind: 'cli', aliases: ['pecker'], detect });
    expect((await init('--print')).stdout).not.toContain('routes:');
    machine.configure(
      'version: "1"\nproviders: [{ name: x, driver: magpie }]\nroutes: [{ name: auto, targets: [x] }]\n',
    );
    machine.write('work/.drivebay/keep', '');
    const inProject = await machine.runIn(`${machine.directory}/work`, ['init', '--project', '--print'], env);
    expect(inProject.stdout).toContain('- name: nest');
    expect(inProject.stdout).not.toContain('routes:');
  });
});

test('a backend that does not answer is written with the reason, and is the default only where nothing else was found', async () => {
  machine.third(
    'locked',
    {
      options: OPTIONS,
      detect: { keys: [{ variables: ['LOCKED_KEY'], models: ['m'], provider: { name: 'locked' } }] },
    },
    `throw context.error('auth', 'refused ' + context.requireApiKey(), { hint: 'get another key' });`,
  );
  const { code, stdout } = await machine.runIn(machine.directory, ['init', '--yes'], { LOCKED_KEY: KEY });
  expect(code).toBe(0);
  expect(stdout).toContain('refused [redacted]; get another key');
  const text = configText();
  expect(text).toContain('# It did not answer when this file was written: refused [redacted]; get another key\n');
  // Without a default, agents would ask the built-in provider, which the user has not named.
  expect(stdout).toContain('\nDefault: locked, because nothing else was found; it does not answer yet\n');
  expect(stdout).toMatch(/\nNext: drivebay doctor +what is wrong, until it answers\n +drivebay serve /);
  expect(text).toMatch(/^# .* `init` chose locked: nothing else was found\.\ndefault_provider: locked$/m);
  expect((await machine.run('config', 'check')).code).toBe(0);
  const check = `throw context.error('auth', 'refused, too');`;
  const keys = [{ variables: ['LOCKED_KEY'], models: ['m'], provider: { name: 'barred' } }];
  machine.third('barred', { options: OPTIONS, detect: { keys } }, check);
  const two = await machine.runIn(machine.directory, ['init', '--print'], { LOCKED_KEY: KEY });
  expect(two.stdout).not.toMatch(/^default_provider/m);
  expect(two.stderr).toMatch(/\nDefault: none, because nothing answers yet; .*: drivebay providers set-default NAME\n/);
});

test('a server that does not list its models does not answer for certain, and is not the default', async () => {
  await equip();
  machine.third(
    'nest',
    {
      options: { base_url: {} },
      detect: {
        ports: [
          {
            port: server!.port,
            path: '/who',
            answer: { type: 'object' },
            provider: { name: 'nest', base_url: server!.url },
          },
        ],
      },
    },
    `return { detail: 'reachable, offers no model list' };`,
  );
  const { stdout, stderr } = await init('--print');
  expect(stderr).toMatch(/\nnest +server +\S+ +reachable, offers no model list; .*: drivebay doctor nest --probe\n/);
  expect(stdout).toContain('\ndefault_provider: magpie\n');
});

test('what a plug-in of the user finds is not written for a bundled one as well', async () => {
  const keys = [{ variables: ['OPENAI_API_KEY'], models: ['m'], provider: { name: 'my-openai' } }];
  machine.third('mine', { options: OPTIONS, detect: { keys } });
  const { stdout } = await machine.runIn(machine.directory, ['init', '--print'], { OPENAI_API_KEY: KEY });
  expect(stdout.match(/- name: .*/g)).toEqual(['- name: my-openai']);
  expect(stdout).toContain(
    '\n# The provider for model names that no other provider serves, and for agents. `init` chose my-openai: it answers;',
  );
});

test('a program that its driver takes for another one is not found', async () => {
  machine.program('strict-cli');
  machine.third(
    'strict',
    {
      kind: 'cli',
      detect: { binaries: [{ names: ['strict-cli'], install: 'get strict', provider: { name: 'strict' } }] },
    },
    `throw context.error('not_installed', 'this is something else', { kind: 'binary_missing' });`,
  );
  const { code, stdout, stderr } = await machine.run('init', '--yes');
  expect(stdout).toMatch(/\nstrict +program +get strict\n/);
  expect(stderr).toContain('\n  for another server: drivebay providers add <driver> --base-url <url>');
  expect(stderr).toContain('drivebay serve --demo');
  expect([code, existsSync(machine.config)]).toEqual([1, false]);
});

test('a new file goes where XDG_CONFIG_HOME says, in folders that are made, also beside one in ~/.config', async () => {
  await equip();
  const moved = `${machine.directory}/new/deep`;
  const xdg = { ...env, XDG_CONFIG_HOME: moved };
  const file = `${moved}/drivebay/providers.yaml`;
  const run = (...words: string[]) => machine.runIn(machine.directory, words, xdg);
  expect((await run('init', '--yes')).stdout).toContain(`\nWrote ${file}\n`);
  expect([existsSync(file), existsSync(dirname(machine.config))]).toEqual([true, false]);
  rmSync(moved, { recursive: true });
  const moves = /\nFrom then on providers\.yaml and mcp\.json of \S+new\/deep\/drivebay count; those of \S+ stay /;
  const servers = machine.write('.config/drivebay/mcp.json', '{ "mcpServers": {} }');
  expect((await run('init', '--yes')).stdout).toMatch(moves);
  rmSync(moved, { recursive: true });
  rmSync(servers);
  machine.configure('# mine\n');
  const { stdout } = await run('init', '--yes');
  expect(stdout).toMatch(moves);
  expect(stdout).toContain(`\nWrote ${file}\n`);
  expect(configText()).toBe('# mine\n');
  expect((await run('config', 'check')).stdout).toContain(`ok: ${file}: 4 providers`);
  expect((await run('init', '--yes')).stderr).toContain(`${file} exists already`);
});

describe('a file that is there', () => {
  beforeEach(() => {
    machine.program('woodpecker');
    machine.third('woodpecker', {
      kind: 'cli',
      detect: { binaries: [{ names: ['woodpecker'], provider: { name: 'wood' } }] },
    });
    machine.configure('# mine\n');
  });

  test('stays as it is, with exit code 2', async () => {
    const { code, stderr } = await machine.run('init', '--yes');
    expect([code, configText()]).toEqual([2, '# mine\n']);
    expect(stderr).toContain(`${machine.config} exists already`);
  });

  test('is replaced with --force, and every old one is kept', async () => {
    for (const copy of ['providers.yaml.bak', 'providers.yaml.bak2']) {
      const { code, stdout } = await machine.run('init', '--yes', '--force');
      expect([code, stdout.includes(`${copy}\n`)]).toEqual([0, true]);
    }
    const folder = `${machine.directory}/.config/drivebay`;
    expect(readFileSync(`${folder}/providers.yaml.bak`, 'utf8')).toBe('# mine\n');
    expect(readdirSync(folder).sort()).toEqual(['providers.yaml', 'providers.yaml.bak', 'providers.yaml.bak2']);
  });

  test('stays a link when it is one', async () => {
    const file = machine.write('dotfiles/providers.yaml', '# linked\n');
    machine.write('.config/drivebay/old', '');
    const linked = `${machine.directory}/linked/drivebay/providers.yaml`;
    machine.write('linked/drivebay/.keep', '');
    symlinkSync(file, linked);
    const env = { XDG_CONFIG_HOME: `${machine.directory}/linked` };
    expect((await machine.runIn(machine.directory, ['init', '--yes', '--force'], env)).code).toBe(0);
    expect(lstatSync(linked).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('name: wood');
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe('# linked\n');
  });
});

test('without a terminal and without --yes the file is printed, and nothing is written', async () => {
  await equip();
  const { code, stdout, stderr } = await machine.run('init');
  expect(stdout).toMatch(/^# Providers of Drivebay/);
  expect(stderr).toContain('to write');
  expect([code, existsSync(machine.config)]).toEqual([2, false]);
  const printed = await machine.run('init', '--print');
  expect([printed.code, printed.stdout]).toEqual([0, stdout]);
  machine.write('printed.yaml', printed.stdout);
  expect((await machine.run('config', 'check', 'printed.yaml')).code).toBe(0);
});

test('a key of a project’s .env belongs into the project’s file, which is trusted then', async () => {
  await equip();
  machine.write('work/.env', `MAGPIE_KEY=${KEY}\n`);
  const cwd = `${machine.directory}/work`;
  const own = await initIn(cwd, '--print');
  expect(own.stdout).not.toContain('MAGPIE_KEY');
  expect(own.stderr).toContain(`for it: drivebay init --project`);
  const { code, stdout } = await initIn(cwd, '--project', '--yes');
  expect([code, stdout.includes(`MAGPIE_KEY, from ${cwd}/.env`)]).toEqual([0, true]);
  const status = await machine.runIn(cwd, ['providers', 'status'], { DRIVEBAY_PROJECT_TRUST: 'ask' });
  expect(status.stdout).toMatch(/\nmagpie +http +healthy/);
  expect(status.stderr).toBe('wood: cli driver pecker\nauto: a route over nest, magpie, wood\n');
});

test('the file of a project leaves out what the user’s own file has', async () => {
  await equip();
  await machine.run('init', '--yes');
  machine.write('work/.drivebay/keep', '');
  const { stdout } = await machine.runIn(`${machine.directory}/work`, ['init', '--project', '--yes'], env);
  expect(stdout).toContain(`wood is in ${machine.config} already`);
  const text = readFileSync(`${machine.directory}/work/.drivebay/providers.yaml`, 'utf8');
  expect(text.match(/- name: .*/g)).toEqual(['- name: magpie']);
});

test('a detect that would write nonsense is passed over with a warning', async () => {
  await equip();
  machine.third('odd', { detect: { keys: [{ variables: ['ODD_KEY'], provider: { name: 'odd', wings: 2 } }] } });
  const { code, stderr, stdout } = await machine.runIn(machine.directory, ['init', '--print'], { ODD_KEY: KEY });
  expect([code, stdout.includes('odd')]).toEqual([0, false]);
  expect(stderr).toContain('detect.keys[0].provider.wings: the manifest declares no such option; it is passed over');
});

test('a new file has the permissions that the user gives every file', async () => {
  await equip();
  await machine.run('init', '--yes');
  expect(statSync(machine.config).mode & 0o777).toBe(0o666 & ~process.umask());
});

test.each<[string, string, (file: string) => void]>([
  ['a folder', 'is a directory, expected a regular file', (file) => mkdirSync(file)],
  ['a link to itself', 'is a symbolic link that leads to itself', (file) => symlinkSync(file, file)],
  ['a link to nowhere', 'is a symbolic link that leads nowhere', (file) => symlinkSync(`${file}.gone`, file)],
])('%s is replaced by nothing, and --force is not advised', async (_, reason, make) => {
  await equip();
  mkdirSync(dirname(machine.config), { recursive: true });
  make(machine.config);
  for (const words of [['--yes'], ['--yes', '--force']]) {
    expect(await init(...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${machine.config} ${reason}\n  move it away, and run the command again\n`,
    });
  }
});

(canMount ? test : test.skip)('a read-only disk is named as one', async () => {
  await equip();
  const folder = `${machine.directory}/.config`;
  mkdirSync(folder, { recursive: true });
  const script = `mount -t tmpfs -o ro none ${folder} && exec "$@"`;
  const words = ['--mount', 'sh', '-c', script, 'sh', process.execPath, cliPath, 'init', '--yes'];
  const variables = machine.environment({ ...env, PATH: `${machine.bin}:/usr/bin:/bin` });
  const run = new LiveCli(words, { env: variables }, ['/usr/bin/unshare']);
  const { code, stderr } = await run.endInput().end();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be written: EROFS: read-only file system/)]);
});
