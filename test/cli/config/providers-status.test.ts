import { HEALTHY, withCheck } from '../../setup/driver-code';
import { LiveCli } from '../../setup/live-cli';
import type { CliResult } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const KEY = 'sk-planted-key-0123456789';

describe('providers in every state', () => {
  const home = tempHome();
  let table: CliResult;
  let json: CliResult;

  beforeAll(async () => {
    home.plugin('up', { code: withCheck(`return { detail: 'v2', warnings: ['an old version'] };`) });
    home.plugin('down', {
      code: withCheck(`throw context.error('unreachable', 'connection refused', { hint: 'start the server' });`),
    });
    home.plugin('slow', { code: withCheck(`await new Promise(() => {});`) });
    const keeps = ['spare', 'waiting', 'waiting'].map(
      (state) => `context.keep({ state: '${state}', most: 9, forMs: 60_000, pid: process.pid, end() {} });`,
    );
    home.plugin('binary', { code: withCheck(keeps.join(' ')), manifest: { kind: 'cli' } });
    home.plugin('locked', {
      code: withCheck(`throw context.error('auth', 'refused the key ' + context.requireApiKey());`),
      manifest: { options: { api_key_env: {} } },
    });
    home.plugin('broken', { code: 'throw new Error("no beak")' });
    const diagnose = `async *diagnose() {
      yield { topic: 'version', severity: 'ok', message: 'bird 1.2' };
      yield { topic: 'login', severity: 'broken', message: 'bird is not logged in', fix: 'run: bird login' };
      await new Promise(() => {});
    }`;
    home.plugin('shy', {
      code: `module.exports = () => ({ ...${HEALTHY}, ${diagnose} });`,
      manifest: { kind: 'cli', aliases: ['bird', 'parrot'] },
    });
    home.configure(`version: "1"
providers:
  - { name: first, driver: up, default_model: model-1 }
  - { name: a-much-longer-name, driver: down }
  - { name: slow, driver: slow, default_model: model-2 }
  - { name: cli, driver: binary }
  - { name: keyed, driver: locked, api_key_env: PLANTED_KEY }
  - { name: broken, driver: broken }
  - { name: mine, driver: shy }
  - { name: parrot, driver: parrot }
`);
    // A pipe gets no colour, whatever these variables say.
    const env = { PLANTED_KEY: KEY, FORCE_COLOR: '1', TERM: 'xterm-256color', NO_COLOR: '' };
    const status = (...words: string[]) => home.runIn(home.directory, ['providers', 'status', ...words], env);
    [table, json] = await Promise.all([status(), status('--json')]);
  });

  test('the exit code is 0, and the table has five aligned columns in the order of the file', () => {
    expect([table.code, json.code]).toEqual([0, 0]);
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/\d+ms$/, 'Nms'))).toEqual([
      'Provider            Driver  Status   Model    Latency',
      'first               http    healthy  model-1  Nms',
      'a-much-longer-name  http    offline  -        -',
      'slow                http    offline  model-2  timeout',
      'cli                 cli     healthy  -        -',
      'keyed               http    offline  -        -',
      'broken              http    offline  -        -',
      'mine                cli     healthy  -        -',
      'parrot              cli     healthy  -        -',
    ]);
    expect(table.stderr).not.toContain('\u001b');
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

  test('stderr says what else is known: the driver by the name that users know, details, and what is wrong', () => {
    const lines = table.stderr.split('\n');
    const told = lines.filter((line) => /^(first|mine|parrot|cli)\b/.test(line));
    expect(told.map((line) => line.replace(/for [\d.]+m?s/g, 'for #').replace(/\d+ MB/, '# MB'))).toEqual([
      'first: http driver up, v2',
      'first: an old version',
      'cli: cli driver binary, kept: 1 ready (for #), 2 waiting for the results of a client (the oldest for #), # MB',
      'mine: cli driver bird',
      'mine: bird is not logged in; run: bird login',
      'parrot: bird is not logged in; run: bird login',
    ]);
  });

  test('a key is in no output', () => {
    expect(table.stderr).toContain('keyed is offline: refused the key [redacted]');
    expect(json.stdout).toContain('refused the key [redacted]');
    expect(table.stdout + table.stderr + json.stdout + json.stderr).not.toContain(KEY);
  });

  test('--json has the same for machines, plug-ins included', () => {
    type Rows = Record<string, unknown>[];
    const { providers, plugins } = JSON.parse(json.stdout) as { providers: Rows; plugins: Rows };
    expect(providers.map(({ name }) => name)).toEqual([
      ...['first', 'a-much-longer-name', 'slow', 'cli', 'keyed', 'broken', 'mine', 'parrot'],
    ]);
    expect(providers[0]).toEqual({
      name: 'first',
      driver: 'up',
      driverAlias: 'up',
      kind: 'http',
      status: 'healthy',
      model: 'model-1',
      latencyMs: expect.any(Number),
      timedOut: false,
      reason: null,
      hint: null,
      detail: 'v2',
      warnings: ['an old version'],
      findings: [],
      rests: [],
      route: null,
      kept: [],
      queue: null,
    });
    expect(providers[1]).toMatchObject({
      status: 'offline',
      reason: 'connection refused',
      hint: 'start the server',
      latencyMs: null,
    });
    expect(providers[2]).toMatchObject({ timedOut: true });
    expect(providers[3]).toMatchObject({ kind: 'cli', latencyMs: null });
    const since = expect.any(Number) as number;
    const program = { pid: expect.any(Number) as number, memoryBytes: expect.any(Number) as number };
    const kept = ['spare', 'waiting', 'waiting'].map((state) => ({ state, since, ...program }));
    expect(providers[3]!.kept).toEqual(kept);
    expect(providers[6]).toMatchObject({
      ...{ driver: 'shy', driverAlias: 'bird' },
      findings: [
        { topic: 'version', severity: 'ok', message: 'bird 1.2' },
        { topic: 'login', severity: 'broken', message: 'bird is not logged in', fix: 'run: bird login' },
        // It has not ended within the time of a check.
        { topic: 'other', severity: 'warning', message: expect.stringContaining('no answer within 3 s') },
      ],
    });
    const broken = plugins.find(({ driver }) => driver === 'broken');
    expect(broken).toMatchObject({ state: 'failed', reason: 'no beak (index.js:1:7)' });
  });
});

test('checks run side by side: each of eight waits for the others, and all are healthy', async () => {
  const home = tempHome();
  // One after the other, the first would wait in vain and be offline.
  const meet = `const meeting = (globalThis.meeting ??= { here: 0, begin: undefined });
    const all = (meeting.all ??= new Promise((resolve) => (meeting.begin = resolve)));
    if (++meeting.here === 8) meeting.begin();
    await all;`;
  home.plugin('meets', { code: withCheck(meet) });
  const entries = Array.from({ length: 8 }, (_, index) => `  - { name: p${index}, driver: meets }\n`).join('');
  home.configure(`version: "1"\nproviders:\n${entries}`);
  expect((await home.run('providers', 'status')).stdout.match(/healthy/g)).toHaveLength(8);
});

test('each driver is closed once, and its open handles do not keep the command', async () => {
  const home = tempHome();
  const code = `setInterval(() => {}, 1000); require('node:net').createServer().listen(0);
    module.exports = () => ({ ...${HEALTHY}, async close() { process.stderr.write('closed\\n'); } });`;
  home.plugin('open', { code });
  home.providers('name: a, driver: open', 'name: b, driver: open');
  expect(await home.run('providers', 'status')).toMatchObject({
    code: 0,
    stderr: 'closed\nclosed\na: http driver open\nb: http driver open\n',
  });
});

test('without any provider it says where to add one', async () => {
  const home = tempHome();
  const file = home.configure('version: "1"\nproviders: []\n');
  expect(await home.run('providers', 'status')).toEqual({
    code: 0,
    stdout: 'Provider  Driver  Status  Model  Latency\n',
    stderr: `no provider is configured: add one to ${file}, or run: drivebay providers add <driver>\n`,
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during the checks prints nothing, lets drivers close, and ends with %p', async (signal, code) => {
  const home = tempHome();
  const base = withCheck(`process.stderr.write('checking\\n'); await new Promise(() => {});`);
  home.plugin('slow', {
    code: `const base = ${base.replace('module.exports =', '')}
      module.exports = (context) => ({ ...base(context), async close() { process.stderr.write('closed\\n'); } });`,
  });
  home.providers('name: slow, driver: slow');
  const cli = new LiveCli(['providers', 'status'], { env: home.environment() });
  await cli.until(/checking/);
  expect(await cli.signal(signal).end()).toEqual({ code, stdout: '', stderr: 'checking\nclosed\n' });
});

test('--no-project leaves the .env files of the project out too', async () => {
  const home = tempHome();
  home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
  home.providers('name: a, driver: locked, api_key_env: PLANTED_KEY');
  home.write('project/.drivebay/placeholder', '');
  home.write('project/.env', `PLANTED_KEY=${KEY}\n`);
  const status = (...words: string[]) => home.runIn(`${home.directory}/project`, ['providers', 'status', ...words]);
  const [withProject, without] = await Promise.all([status(), status('--no-project')]);
  expect(withProject.stderr).toBe('a: http driver locked\n');
  home.write('project/.env', '');
  const unset = await status();
  expect(unset.stderr).toContain(`or add it to ${home.directory}/project/.env.local\n`);
  expect(without.stderr).toContain('no API key: PLANTED_KEY is not set (looked in the environment of this command)');
  expect(without.stderr).not.toContain('.env.local');
});

test.each([
  ['{ warnings: "slow" }', 'the text "slow"'],
  ['{ detail: 5 }', 'the number 5'],
  ['"fine"', 'the text "fine"'],
])('a check() that resolves with %s is a mistake of the driver, told in words of the contract', async (found, what) => {
  const home = tempHome();
  home.plugin('wordy', { code: withCheck(`return ${found};`) });
  home.providers('name: wordy, driver: wordy');
  const { stderr } = await home.run('providers', 'status');
  expect(stderr).toMatch(
    /wordy is offline: driver "wordy" failed: its check\(\) has to resolve with nothing, or with a text/,
  );
  expect(stderr).toContain(`, found ${what}`);
});
