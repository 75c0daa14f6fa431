import { spawnSync } from 'node:child_process';
import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';
import { HEALTHY } from '../setup/driver-code';

const home = new DaemonHome();
const KEY = 'the-key-of-one-terminal';
const OTHER = 'the-key-of-another-one';
const spelt = (key: string) => [...key].reverse().join('');

beforeAll(async () => {
  // Says its key backwards: the key itself is taken out of records.
  home.plugin('keyed', {
    code: `module.exports = (context) => ({
      ...${HEALTHY},
      async check() { context.requireApiKey(); },
      async *chat() {
        yield { type: 'text', text: [...context.requireApiKey()].reverse().join('') };
        yield { type: 'finish', reason: 'stop' };
      },
    });`,
    manifest: { options: { api_key_env: {} } },
  });
  home.configure(`version: "1"
default_provider: lacking
providers:
  - { name: lacking, driver: keyed, default_model: m, api_key_env: LACKING_KEY }
  - { name: owned, driver: keyed, default_model: m, api_key_env: OWNED_KEY }
`);
  await home.start({ OWNED_KEY: KEY });
});

const ask = (provider: string, env: Record<string, string> = {}) =>
  home.runIn(home.directory, ['which key?', '--provider', provider], env);

test('a key that is set nowhere: the message says whose environment counts, and what to do', async () => {
  const { code, stderr } = await ask('lacking');
  expect(code).toBe(1);
  expect(stderr).toMatch(/LACKING_KEY is not set \(looked in the environment of the daemon \(pid \d+\)\)/);
  expect(stderr).toContain('run: export LACKING_KEY=...; the next drivebay command in that terminal takes it along\n');
});

test('a command brings the keys of its terminal, later commands have them, and a later value takes their place', async () => {
  expect(await ask('lacking', { LACKING_KEY: KEY })).toMatchObject({ code: 0, stdout: `${spelt(KEY)}\n` });
  const { stderr, ...without } = await ask('lacking');
  expect(stderr).not.toContain('note:');
  expect(without).toMatchObject({ code: 0, stdout: `${spelt(KEY)}\n` });
  expect(await ask('lacking', { LACKING_KEY: OTHER })).toMatchObject({ stdout: `${spelt(OTHER)}\n` });
});

test('what the daemon has itself stays, and the terminal is told', async () => {
  const { stdout, stderr } = await ask('owned', { OWNED_KEY: OTHER });
  expect(stdout).toBe(`${spelt(KEY)}\n`);
  expect(stderr).toContain('note: the daemon uses another OWNED_KEY than this terminal has;');
  // Not where the command does not use it.
  expect((await ask('lacking', { OWNED_KEY: OTHER })).stderr).not.toContain('OWNED_KEY');
});

test('the gateway of a terminal has its keys, and another project has not', async () => {
  home.write('project/.drivebay/placeholder', '');
  const cwd = `${home.directory}/project`;
  const env = home.environment({ LACKING_KEY: 'the-key-of-a-gateway' });
  const gateway = await RunningGateway.start([], { env, cwd });
  const answer = await gateway.chat({ model: 'lacking' });
  expect(await answer.text()).toContain(spelt('the-key-of-a-gateway'));
  await gateway.stop();
  expect((await ask('lacking')).stdout).toBe(`${spelt(OTHER)}\n`);
});

test('a gateway with other options has the keys that a command brings to its folder', async () => {
  home.write('other/.drivebay/placeholder', '');
  const cwd = `${home.directory}/other`;
  const gateway = await RunningGateway.start(['--demo'], { env: home.environment(), cwd });
  expect((await gateway.chat({ model: 'lacking' })).status).toBe(502);
  await home.runIn(cwd, ['which key?', '--provider', 'lacking'], { LACKING_KEY: OTHER });
  expect(await (await gateway.chat({ model: 'lacking' })).text()).toContain(spelt(OTHER));
  await gateway.stop();
});

test('no file has such a key, and only names that the project gives to keys are taken', async () => {
  const { stdout } = spawnSync('grep', ['-rlE', `${KEY}|${OTHER}|the-key-of-a-gateway`, home.directory], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  const project = { workingDirectory: home.directory };
  const variables = { HOME: '/elsewhere', PATH: '/elsewhere' };
  expect((await home.call('POST', '/v1/project/variables', { project, variables })).status).toBe(200);
  expect((await ask('lacking')).code).toBe(0);
});
