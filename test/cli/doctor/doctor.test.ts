import { mkdirSync, writeFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { COMMONJS, HEALTHY, withCheck } from '../../setup/driver-code';
import { type TempHome, tempHome } from '../../setup/temp-home';

const KEY = 'sk-planted-key-0123456789';

interface Finding {
  provider: string | null;
  code: string;
  severity: string;
  message: string;
  fix: string | null;
}

let home: TempHome;
beforeEach(() => {
  home = tempHome();
});

async function findings(words: string[] = [], env: Record<string, string> = {}, at = home) {
  const { code, stdout, stderr } = await at.runIn(at.directory, ['doctor', '--json', ...words], env);
  const report = JSON.parse(stdout) as { findings: Finding[]; counts: Record<string, number> };
  const by = (finding: string, provider: string | null = null) =>
    report.findings.find((each) => each.code === finding && each.provider === provider);
  return { ...report, code, stdout, stderr, by };
}

const withMembers = (members: string) => `module.exports = (context) => ({ ...${HEALTHY}, ${members} });`;

test('a machine in order: exit code 0, and no finding is broken', async () => {
  home.plugin('up', { code: withMembers(`async models() { return ['m-20260101', 'n']; }`) });
  const file = home.configure(
    'version: "1"\ndefault_provider: a\nproviders:\n  - { name: a, driver: up, default_model: m }\n',
  );
  const { code, stderr, counts, by } = await findings();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(counts).toMatchObject({ broken: 0, warning: 0 });
  expect(by('node_version')).toMatchObject({ severity: 'ok', message: `Node ${process.versions.node}` });
  expect(by('config_files')).toMatchObject({ severity: 'ok', message: file });
  expect(by('answers', 'a')).toMatchObject({ severity: 'ok' });
  expect(by('model', 'a')).toMatchObject({ severity: 'ok', message: 'm is offered', place: `${file}:4:5` });
});

test('each thing that is broken has its code and the command that fixes it, and the exit code is 1', async () => {
  home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
  home.plugin('down', { code: withCheck(`throw context.error('unreachable', 'refused', { hint: 'start it' });`) });
  home.plugin('broken', { code: 'throw new Error("no beak")' });
  home.providers('name: a, driver: locked, api_key_env: NO_KEY', 'name: b, driver: down', 'name: c, driver: broken');
  const { code, by } = await findings();
  expect(code).toBe(1);
  expect(by('missing_key', 'a')).toMatchObject({ severity: 'broken', fix: expect.stringContaining('export NO_KEY=') });
  expect(by('unreachable', 'b')).toMatchObject({ severity: 'broken', message: 'refused', fix: 'start it' });
  expect(by('driver_setup', 'c')).toMatchObject({ severity: 'broken', message: expect.stringContaining('no beak') });
  expect(by('plugin')).toMatchObject({ severity: 'warning', fix: expect.stringContaining('drivebay plugins check ') });
});

test('a client without its key is a finding, and what sets the key', async () => {
  home.plugin('up', { code: `module.exports = () => (${HEALTHY});` });
  const clients = 'clients: [{ name: ci, api_key_env: CI_KEY }, { name: ed, api_key_env: ED_KEY }]';
  home.configure(`version: "1"\nproviders: [{ name: a, driver: up }]\n${clients}\n`);
  const { findings: all, by } = await findings([], { ED_KEY: 'key-of-the-editor' });
  expect(by('client_key')).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(/^client "ci" cannot ask: CI_KEY is not set/),
    fix: expect.stringContaining('export CI_KEY='),
  });
  expect(all.filter(({ code }) => code === 'client_key')).toHaveLength(1);
});

test('a budget that counts models without a price is a finding', async () => {
  home.plugin('up', { code: `module.exports = () => (${HEALTHY});` });
  const budget = 'budget_usd: { day: 1 }';
  const entries = ['a, driver: up, default_model: m', `b, driver: up, default_model: m, ${budget}, cost_per_token: 1`];
  home.providers(...entries.map((entry) => `name: ${entry}`), `name: c, driver: up, default_model: m, ${budget}`);
  const { by } = await findings();
  const message = expect.stringMatching(
    /^no price of m is known here: .* spends nothing of the budget of provider "c"$/,
  );
  expect(by('budget', 'c')).toMatchObject({ severity: 'warning', message, fix: expect.stringContaining('docs costs') });
  expect([by('budget', 'a'), by('budget', 'b')]).toEqual([undefined, undefined]);
  home.configure(
    `version: "1"\nproviders: [{ name: a, driver: up, default_model: m }]\nclients: [{ name: ci, api_key_env: K, ${budget} }]\n`,
  );
  expect((await findings()).by('budget', 'a')!.message).toContain('the budget of client "ci"');
});

test('a finding of the driver has its topic, and contains no key', async () => {
  const diagnose = `async *diagnose() {
    yield { topic: 'version', severity: 'ok', message: 'parrot 2.1' };
    yield { topic: 'login', severity: 'broken', message: 'logged out ' + context.apiKey(), fix: 'parrot login ' + context.apiKey() };
    yield { topic: 'moon', severity: 'note', message: 'full' };
    yield { nonsense: true };
    throw new Error('fell off ' + context.apiKey());
  }`;
  home.plugin('parrot', { code: withMembers(diagnose), manifest: { options: { api_key_env: {} } } });
  home.providers('name: a, driver: parrot, api_key_env: PLANTED_KEY');
  const { code, stdout, by, findings: all } = await findings(['a'], { PLANTED_KEY: KEY });
  expect([code, stdout.includes(KEY)]).toEqual([1, false]);
  expect(by('version', 'a')).toMatchObject({ severity: 'ok', message: 'parrot 2.1' });
  expect(by('login', 'a')).toMatchObject({ message: 'logged out [redacted]', fix: 'parrot login [redacted]' });
  expect(by('key', 'a')).toMatchObject({ severity: 'ok', message: 'PLANTED_KEY, from process environment' });
  const others = all.filter(({ code: finding }) => finding === 'other').map(({ message }) => message);
  expect(others).toEqual([
    'full',
    expect.stringContaining('needs topic'),
    expect.stringContaining('fell off [redacted]'),
  ]);
});

test('a key is named with the .env file that it is from', async () => {
  home.plugin('up', { code: COMMONJS, manifest: { options: { api_key_env: {} } } });
  home.providers('name: a, driver: up, api_key_env: PLANTED_KEY');
  home.write('.drivebay/keep', '');
  const file = home.write('.env.local', `PLANTED_KEY=${KEY}\n`);
  const { by, stdout } = await findings();
  expect(by('key', 'a')).toMatchObject({ message: `PLANTED_KEY, from ${file}` });
  expect(stdout).not.toContain(KEY);
});

test('a model that the backend does not list is a warning with a model that it has', async () => {
  home.plugin('up', { code: withMembers(`async models() { return ['egg-large', 'egg-small']; }`) });
  home.providers('name: a, driver: up, default_model: egg-larg', 'name: b, driver: up');
  const { code, by } = await findings();
  expect(code).toBe(0);
  expect(by('model', 'a')).toMatchObject({ severity: 'warning', fix: expect.stringContaining('egg-large') });
  expect(by('model', 'b')).toMatchObject({ severity: 'note', message: expect.stringContaining('no default_model') });
});

test('a configuration with mistakes: each with its place, and the rest is looked at all the same', async () => {
  const file = home.providers('name: a, driver: nobody', 'driver: x');
  const { code, findings: all, by } = await findings();
  expect(code).toBe(1);
  const invalid = all.filter(({ code: finding }) => finding === 'config_invalid');
  expect(invalid.length).toBeGreaterThan(1);
  for (const { message, severity } of invalid)
    expect([severity, message]).toEqual(['broken', expect.stringContaining(`${file}:`)]);
  expect(by('node_version')).toBeDefined();
});

test('with a name only that provider is shown, and what stands in its way', async () => {
  home.plugin('up', { code: COMMONJS });
  home.providers('name: a, driver: up', 'name: b, driver: up');
  const { findings: all } = await findings(['b']);
  expect(new Set(all.map(({ provider }) => provider))).toEqual(new Set(['b']));
});

test('without a configuration it names the command that writes one', async () => {
  const { by } = await findings();
  expect(by('config_files')).toMatchObject({ severity: 'note', fix: 'drivebay init' });
});

test('tokens are spent with --probe only, and are in the ledger then', async () => {
  const chat = `async *chat() {
    process.stderr.write('asked\\n');
    yield { type: 'text', text: 'OK' };
    yield { type: 'usage', inputTokens: 7, outputTokens: 1 };
    yield { type: 'finish', reason: 'stop' };
  }`;
  home.plugin('up', { code: withMembers(chat) });
  home.plugin('mute', { code: withMembers(chat.replace("yield { type: 'text', text: 'OK' };", '')) });
  home.providers(
    'name: a, driver: up, default_model: m, cost_per_token: 0.001',
    'name: b, driver: mute, default_model: m',
  );
  const without = await findings();
  expect([without.code, without.stderr]).toEqual([0, '']);
  const { code, by } = await findings(['--probe']);
  expect(code).toBe(1);
  expect(by('probe', 'a')).toMatchObject({
    severity: 'ok',
    message: expect.stringMatching(/answered in .*, 7 tokens in, 1 out, \$0\.008/),
  });
  expect(by('probe', 'b')).toMatchObject({ severity: 'broken', message: expect.stringContaining('empty answer') });
  const usage = await home.run('usage', '--json');
  expect(usage.stdout).toContain('"a"');
});

test('the report for people has a line per finding, its remedy below, where to change it, and the counts', async () => {
  home.plugin('down', { code: withCheck(`throw context.error('unreachable', 'refused', { hint: 'start it' });`) });
  const file = home.providers('name: a, driver: down');
  const { stdout, code } = await home.run('doctor');
  expect(code).toBe(1);
  expect(stdout).toContain(`\na  ${file}:3:5\n`);
  expect(stdout).toMatch(/\n {2}broken {3}unreachable +refused\n +fix: start it\n/);
  expect(stdout).toMatch(/\n1 broken, 0 warning, \d+ note, \d+ ok\n$/);
});

test('a state folder that cannot be written to is broken', async () => {
  home.write('.local/state', 'a file in its place');
  const { code, by } = await findings();
  expect(code).toBe(1);
  const fix = 'choose another folder: export XDG_STATE_HOME=<absolute path>';
  expect(by('state_folder')).toMatchObject({ severity: 'broken', fix });
});

test.each(['daemon.sock', 'daemon.lock', 'processes/index.ndjson'])(
  'a folder where %s belongs is broken',
  async (name) => {
    const state = `${home.directory}/states/${name}`;
    mkdirSync(`${state}/drivebay/${name}`, { recursive: true });
    const { code, by } = await findings([], { XDG_STATE_HOME: state });
    expect([code, by('state_folder')]).toMatchObject([
      1,
      {
        severity: 'broken',
        message: `${state}/drivebay/${name} is a folder, and a file of ours belongs there; records and the daemon need it`,
      },
    ]);
  },
);

test('a variable that moves a folder and is no absolute path does not count, and that is said', async () => {
  const { by } = await findings([], { XDG_STATE_HOME: 'states', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '.' });
  expect(by('state_folder')).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^XDG_STATE_HOME does not count: it is no absolute path; in use: \/.*state\/drivebay/,
    ),
  });
  expect(by('cache_folder')).toMatchObject({ severity: 'ok' });
  expect(by('config_warning')).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(
      /^XDG_CONFIG_HOME does not count: it is no absolute path; in use: \/.*config\/drivebay$/,
    ),
  });
});

test.each(['usage', 'processes', 'trust', 'launch'])('a file where the folder %s belongs is broken', async (name) => {
  const state = `${home.directory}/states/no-${name}`;
  mkdirSync(`${state}/drivebay`, { recursive: true });
  writeFileSync(`${state}/drivebay/${name}`, '');
  const { code, by } = await findings([], { XDG_STATE_HOME: state });
  const message = expect.stringContaining(`${state}/drivebay/${name} is not a folder; `);
  expect([code, by('state_folder')]).toMatchObject([1, { severity: 'broken', message }]);
});

describe('with a daemon', () => {
  const own = new DaemonHome();

  beforeAll(async () => {
    const check = `if (context.requireApiKey() !== '${KEY}') throw context.error('auth', 'a wrong key');`;
    own.plugin('locked', { code: withCheck(check), manifest: { kind: 'cli', options: { api_key_env: {} } } });
    own.providers('name: a, driver: locked, api_key_env: PLANTED_KEY', 'name: b, driver: locked, api_key_env: B_KEY');
    await own.start({ PLANTED_KEY: 'another-key-of-the-daemon', B_KEY: KEY });
  });

  test('one that has another key, and fails where this command does not, is said with the restart', async () => {
    const { code, by, stdout } = await findings(['a'], { PLANTED_KEY: KEY }, own);
    expect(code).toBe(1);
    const message = expect.stringContaining('PLANTED_KEY');
    expect(by('daemon_changes')).toMatchObject({ severity: 'warning', message });
    expect(by('daemon_disagrees', 'a')).toMatchObject({ severity: 'broken', fix: 'run: drivebay daemon restart' });
    expect(by('queue', 'a')).toMatchObject({ severity: 'ok', message: '0 of 4 run, 0 wait' });
    expect(stdout).not.toContain(KEY);
  });

  test('a key that it has and this terminal lacks is no fault', async () => {
    const { code, by } = await findings(['b'], {}, own);
    expect(code).toBe(0);
    expect(by('key', 'b')).toMatchObject({ severity: 'note', message: expect.stringContaining('the daemon has it') });
  });

  test('a key that it has, and that is refused, is not called missing in a terminal without it', async () => {
    const { code, by, stdout } = await findings(['a'], {}, own);
    expect(code).toBe(1);
    expect(by('missing_key', 'a')).toBeUndefined();
    const message = 'the daemon asked with its key: a wrong key';
    expect(by('daemon_disagrees', 'a')).toMatchObject({ severity: 'broken', message });
    expect(by('key', 'a')).toMatchObject({ severity: 'note', message: expect.stringMatching(/ the daemon has it$/) });
    expect(stdout).not.toContain('export PLANTED_KEY');
  });
});

test('the built-in provider has no file of the program for its place', async () => {
  const { stdout } = await home.run('doctor');
  expect(stdout).toContain('\ndeepseek  built in\n');
  expect(stdout).not.toContain('manifest.json');
});
