import { DaemonHome } from '../setup/daemon-home';
import { HEALTHY } from '../setup/driver-code';

const home = new DaemonHome();
const folder = (name: string) => `${home.directory}/${name}`;

beforeAll(async () => {
  home.plugin('keyed', {
    code: `module.exports = (context) => ({
      ...${HEALTHY},
      async *chat() { yield { type: 'text', text: 'key ' + [...(context.apiKey() ?? 'none')].reverse().join('') }; yield { type: 'finish', reason: 'stop' }; },
    });`,
    manifest: { options: { api_key_env: {} } },
  });
  home.configure(
    'version: "1"\nproviders:\n  - { name: shared, driver: keyed, default_model: m, api_key_env: THE_KEY }\n',
  );
  for (const name of ['red', 'blue']) {
    home.write(
      `${name}/.drivebay/providers.yaml`,
      `version: "1"\nproviders:\n  - { name: ${name}, driver: keyed, default_model: m, api_key_env: THE_KEY }\n`,
    );
    home.write(`${name}/.env`, `THE_KEY=key-of-${name}-0123456789\n`);
    home.write(`${name}/.env.stage`, `THE_KEY=stage-of-${name}-0123456789\n`);
  }
  home.write('plain/placeholder', '');
  await home.start();
});

async function ask(name: string, provider: string, drivebayEnv = ''): Promise<string> {
  const workingDirectory = folder(name);
  const { text } = await home.call('POST', '/v1/processes', {
    ...{ intent: 'which key?', workingDirectory, provider, attach: true },
    project: { workingDirectory, drivebayEnv },
  });
  if (text.startsWith('{"error"')) {
    const { error } = JSON.parse(text) as { error: { message: string; hint: string } };
    return `${error.message}; ${error.hint}`;
  }
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; text?: string });
  const answer = events.flatMap(({ type, text: piece }) => (type === 'text' ? [piece] : [])).join('');
  return [...answer.replace('key ', '')].reverse().join('');
}

async function providersOf(name: string): Promise<string[]> {
  const { text } = await home.call('GET', `/v1/providers?workingDirectory=${folder(name)}`);
  return (JSON.parse(text) as { providers: { name: string }[] }).providers.map((provider) => provider.name);
}

test('each project has the global providers and its own, and a folder without one the global ones', async () => {
  expect(await Promise.all(['red', 'blue', 'plain'].map(providersOf))).toEqual([
    ['shared', 'red'],
    ['shared', 'blue'],
    ['shared'],
  ]);
});

test('a provider gets the key of the project it is asked in, also where the provider is a global one', async () => {
  const answers = await Promise.all([
    ask('red', 'red'),
    ask('blue', 'blue'),
    ask('red', 'shared'),
    ask('blue', 'shared'),
  ]);
  expect(answers).toEqual(['red', 'blue', 'red', 'blue'].map((name) => `key-of-${name}-0123456789`));
  expect(await ask('plain', 'shared')).toBe('none');
});

test('DRIVEBAY_ENV of the client chooses the files', async () => {
  expect(await ask('red', 'red', 'stage')).toBe('stage-of-red-0123456789');
  expect(await ask('red', 'red')).toBe('key-of-red-0123456789');
});

test('the provider of another project does not exist', async () => {
  const answer = await ask('red', 'blue');
  expect(answer).toContain('there is no provider "blue"');
  expect(answer).toContain('shared, red');
});

test('a key in an intent is in no record, though no driver has asked for it before', async () => {
  home.write('green/.drivebay/providers.yaml', 'version: "1"\n');
  home.write('green/.env', 'THE_KEY=key-of-green-0123456789\n');
  const workingDirectory = folder('green');
  const { text } = await home.call('POST', '/v1/processes', {
    ...{ intent: 'my key is key-of-green-0123456789', workingDirectory, provider: 'shared', attach: true },
    project: { workingDirectory },
  });
  expect(text.split('\n')[0]).toContain('"intent":"my key is [redacted]"');
  expect((await home.run('ps', '-a', '--json')).stdout).not.toContain('key-of-green');
});

test('records and logs have no key in them', async () => {
  const logs = await home.run('daemon', 'logs');
  const { stdout } = await home.run('trace', '1', '--json');
  expect(logs.stdout + stdout).not.toMatch(/0123456789/);
});
