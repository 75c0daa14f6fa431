import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMMONJS, HEALTHY, withCheck } from '../../setup/driver-code';
import { cliPath, type CliResult, runCli } from '../../setup/run-cli';
import { TempHome } from '../../setup/temp-home';

const KEY = 'sk-planted-key-0123456789';

describe('providers in every state', () => {
  const home = new TempHome();
  afterAll(() => home.remove());
  let table: CliResult;
  let json: CliResult;

  beforeAll(async () => {
    home.plugin('up', { code: withCheck(`return { detail: 'v2', warnings: ['an old version'] };`) });
    home.plugin('down', {
      code: withCheck(`throw context.error('unreachable', 'connection refused', { hint: 'start the server' });`),
    });
    home.plugin('slow', { code: withCheck(`await new Promise(() => {});`) });
    home.plugin('binary', { code: COMMONJS, manifest: { kind: 'cli' } });
    home.plugin('locked', {
      code: withCheck(`throw context.error('auth', 'refused the key ' + context.requireApiKey());`),
      manifest: { options: { api_key_env: {} } },
    });
    home.plugin('broken', { code: 'throw new Error("no beak")' });
    home.configure(
      [
        'version: "1"',
        'providers:',
        '  - { name: first, driver: up, default_model: model-1 }',
        '  - { name: a-much-longer-name, driver: down }',
        '  - { name: slow, driver: slow, default_model: model-2 }',
        '  - { name: cli, driver: binary }',
        '  - { name: keyless, driver: locked, api_key_env: MISSING_KEY }',
        '  - { name: keyed, driver: locked, api_key_env: PLANTED_KEY }',
        '  - { name: broken, driver: broken }',
        '',
      ].join('\n'),
    );
    // Without NO_COLOR: a pipe is no terminal, whatever the environment says.
    const env = home.environment({ PLANTED_KEY: KEY, FORCE_COLOR: '1', TERM: 'xterm-256color' });
    delete env.NO_COLOR;
    [table, json] = await Promise.all([
      runCli(['providers', 'status'], { env }),
      runCli(['providers', 'status', '--json'], { env }),
    ]);
  });

  test('the exit code is 0: the command did what it was asked', () => {
    expect([table.code, json.code]).toEqual([0, 0]);
  });

  test('the table has five aligned columns, in the order of the file', () => {
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/\d+ms$/, 'Nms'))).toEqual([
      'Provider            Driver  Status   Model    Latency',
      'first               http    healthy  model-1  Nms',
      'a-much-longer-name  http    offline  -        -',
      'slow                http    offline  model-2  timeout',
      'cli                 cli     healthy  -        -',
      'keyless             http    offline  -        -',
      'keyed               http    offline  -        -',
      'broken              http    offline  -        -',
    ]);
  });

  test('a pipe gets no colour', () => {
    expect(table.stdout + table.stderr).not.toContain('\u001b');
  });

  test('stderr says for each offline provider why, and what to do', () => {
    expect(table.stderr).toContain('a-much-longer-name is offline: connection refused; start the server\n');
    expect(table.stderr).toContain(
      'slow is offline: no answer within 3 s; check base_url and the network, and whether the server is overloaded\n',
    );
    expect(table.stderr).toMatch(/broken is offline: plug-in .*broken failed to load: no beak \(index\.js:1:7\)\n/);
    expect(table.stderr).toContain('first: an old version\n');
    expect(table.stderr).not.toMatch(/(first|cli) is offline/);
  });

  test('a missing key is named with the places looked at and the line to type', () => {
    expect(table.stderr).toContain(
      'keyless is offline: no API key: MISSING_KEY is not set (looked in process environment)',
    );
    expect(table.stderr).toContain('export MISSING_KEY=...');
  });

  test('a key is in no output', () => {
    expect(table.stderr).toContain('keyed is offline: refused the key [redacted]');
    expect(json.stdout).toContain('refused the key [redacted]');
    expect(table.stdout + table.stderr + json.stdout + json.stderr).not.toContain(KEY);
  });

  test('--json has the same for machines, plug-ins included, and nothing else on stdout', () => {
    const { providers, plugins } = JSON.parse(json.stdout) as Record<
      'providers' | 'plugins',
      Record<string, unknown>[]
    >;
    expect(providers.map(({ name, status }) => [name, status])).toEqual([
      ['first', 'healthy'],
      ['a-much-longer-name', 'offline'],
      ['slow', 'offline'],
      ['cli', 'healthy'],
      ['keyless', 'offline'],
      ['keyed', 'offline'],
      ['broken', 'offline'],
    ]);
    expect(providers[0]).toEqual({
      name: 'first',
      driver: 'up',
      kind: 'http',
      status: 'healthy',
      model: 'model-1',
      latencyMs: expect.any(Number),
      timedOut: false,
      reason: null,
      hint: null,
      detail: 'v2',
      warnings: ['an old version'],
      queue: null,
    });
    expect(providers[1]).toMatchObject({ reason: 'connection refused', hint: 'start the server', latencyMs: null });
    expect(providers[2]).toMatchObject({ timedOut: true });
    expect(providers[3]).toMatchObject({ kind: 'cli', latencyMs: null });
    expect(plugins.find(({ driver }) => driver === 'broken')).toMatchObject({
      state: 'failed',
      reason: 'no beak (index.js:1:7)',
    });
  });
});

describe('checks run side by side', () => {
  test('each of eight waits for the others, and all are healthy', async () => {
    const home = new TempHome();
    // One after the other, the first would wait in vain and be offline.
    const meet = `const meeting = (globalThis.meeting ??= { here: 0, begin: undefined });
      const all = (meeting.all ??= new Promise((resolve) => (meeting.begin = resolve)));
      if (++meeting.here === 8) meeting.begin();
      await all;`;
    home.plugin('meets', { code: withCheck(meet) });
    const entries = Array.from({ length: 8 }, (_, index) => `  - { name: p${index}, driver: meets }\n`).join('');
    home.configure(`version: "1"\nproviders:\n${entries}`);
    const { stdout } = await runCli(['providers', 'status'], { env: home.environment() });
    expect(stdout.match(/healthy/g)).toHaveLength(8);
    home.remove();
  });
});

describe('what the driver leaves behind', () => {
  test('is closed: each driver once, and an open handle does not keep the command', async () => {
    const home = new TempHome();
    const code = `setInterval(() => {}, 1000); require('node:net').createServer().listen(0);
      module.exports = () => ({ ...${HEALTHY}, async close() { process.stderr.write('closed\\n'); } });`;
    home.plugin('open', { code });
    home.configure('version: "1"\nproviders:\n  - { name: a, driver: open }\n  - { name: b, driver: open }\n');
    const { code: exitCode, stderr } = await runCli(['providers', 'status'], { env: home.environment() });
    expect([exitCode, stderr]).toEqual([0, 'closed\nclosed\n']);
    home.remove();
  });
});

describe('a configuration with mistakes', () => {
  test('ends with 2, says all of them with their places, and prints no table', async () => {
    const home = new TempHome();
    home.plugin('up', { code: COMMONJS, manifest: { aliases: ['upward'], options: { height: { type: 'integer' } } } });
    const file = home.configure(
      'version: "1"\nproviders:\n  - name: a\n    driver: upp\n  - name: b\n    driver: up\n    height: high\n    mode: fast\n',
    );
    const { code, stdout, stderr } = await runCli(['providers', 'status'], { env: home.environment() });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: the configuration has 3 problems\n/);
    for (const place of ['4:13', '7:13', '8:11']) expect(stderr).toContain(`  ${file}:${place}: providers[`);
    expect(stderr).toContain('no plug-in provides driver "upp"; did you mean up?');
    home.remove();
  });

  test('an unknown key is a warning, once, and the table is printed', async () => {
    const home = new TempHome();
    home.plugin('up', { code: COMMONJS });
    const file = home.configure('version: "1"\nproviders:\n  - name: a\n    driver: up\n    defalt_model: x\n');
    const { code, stdout, stderr } = await runCli(['providers', 'status'], { env: home.environment() });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Provider .*\na .* healthy /)]);
    expect(stderr).toBe(
      `warning: ${file}:5:5: provider "a": unknown option defalt_model, ignored; did you mean default_model?\n`,
    );
    home.remove();
  });
});

test('without any provider it says where to add one', async () => {
  const home = new TempHome();
  const file = home.configure('version: "1"\nproviders: []\n');
  const result = await runCli(['providers', 'status'], { env: home.environment() });
  expect(result).toEqual({
    code: 0,
    stdout: 'Provider  Driver  Status  Model  Latency\n',
    stderr: `no provider is configured: add one to ${file}, or run: drivebay init\n`,
  });
  home.remove();
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during the checks prints nothing, lets drivers tidy up, and ends with %p', async (signal, code) => {
  const home = new TempHome();
  home.plugin('slow', {
    code: `const base = ${withCheck(`process.stderr.write('checking\\n'); await new Promise(() => {});`).replace('module.exports =', '')}
      module.exports = (context) => ({ ...base(context), async close() { process.stderr.write('closed\\n'); } });`,
  });
  home.configure('version: "1"\nproviders:\n  - { name: slow, driver: slow }\n');
  const child = spawn(process.execPath, [cliPath, 'providers', 'status'], { env: home.environment() });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (text.includes('checking')) child.kill(signal);
  });
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(output).toBe('checking\nclosed\n');
  home.remove();
});

test('--no-project leaves the .env files of the project out, too', async () => {
  const home = new TempHome();
  home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
  home.configure('version: "1"\nproviders:\n  - { name: a, driver: locked, api_key_env: PLANTED_KEY }\n');
  home.write('project/.drivebay/placeholder', '');
  home.write('project/.env', `PLANTED_KEY=${KEY}\n`);
  const run = { env: home.environment(), cwd: `${home.directory}/project` };
  const [withProject, without] = await Promise.all([
    runCli(['providers', 'status'], run),
    runCli(['providers', 'status', '--no-project'], run),
  ]);
  expect(withProject.stderr).toBe('');
  expect(without.stderr).toContain('no API key: PLANTED_KEY is not set (looked in process environment)');
  home.remove();
});
