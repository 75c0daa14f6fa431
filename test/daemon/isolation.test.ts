import { rmSync } from 'node:fs';
import type { ReloadReport } from '../../core/daemon/reload/reload-report';
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

test('a provider gets the key of the folder and the DRIVEBAY_ENV that its client names', async () => {
  const asked = ['red red', 'blue blue', 'red shared', 'blue shared', 'plain shared', 'red red stage'];
  const answers = await Promise.all(asked.map((words) => ask(...(words.split(' ') as [string, string, string?]))));
  expect(answers.map((answer) => answer.replace('-0123456789', ''))).toEqual([
    ...['key-of-red', 'key-of-blue', 'key-of-red', 'key-of-blue', 'none', 'stage-of-red'],
  ]);
});

test('the provider of another project does not exist', async () => {
  const answer = await ask('red', 'blue');
  expect(answer).toContain('there is no provider "blue"');
  expect(answer).toContain('shared, red');
});

test('no record and no log has a key, not even one in an intent that no driver has asked for yet', async () => {
  home.write('green/.drivebay/providers.yaml', 'version: "1"\n');
  home.write('green/.env', 'THE_KEY=key-of-green-0123456789\n');
  const workingDirectory = folder('green');
  const { text } = await home.call('POST', '/v1/processes', {
    ...{ intent: 'my key is key-of-green-0123456789', workingDirectory, provider: 'shared', attach: true },
    project: { workingDirectory },
  });
  expect(text.split('\n')[0]).toContain('"intent":"my key is [redacted]"');
  for (const words of [
    ['ps', '-a', '--json'],
    ['trace', '1', '--json'],
    ['daemon', 'logs'],
  ]) {
    expect((await home.run(...words)).stdout).not.toMatch(/key-of-green|0123456789/);
  }
});

describe('a folder that becomes a project, or stops being one, while the daemon runs', () => {
  const reload = () => home.call('POST', '/v1/reload');
  const become = (name: string) =>
    home.write(
      `${name}/.drivebay/providers.yaml`,
      'version: "1"\nproviders:\n  - { name: own, driver: keyed, default_model: m, api_key_env: THE_KEY }\n',
    );

  // What is opened first decides nothing.
  beforeEach(async () => {
    await home.end();
    await home.start();
  });

  test('changes nothing in other folders outside of projects, also where it was the first one', async () => {
    home.write('first/placeholder', '');
    expect(await providersOf('first')).toEqual(['shared']);
    become('first');
    home.write('first/.env', 'THE_KEY=key-of-first-0123456789\n');
    await reload();
    expect(await providersOf('plain')).toEqual(['shared']);
    expect(await ask('plain', 'shared')).toBe('none');
    expect(await providersOf('first')).toEqual(['shared', 'own']);
  });

  test('changes nothing in the project around it', async () => {
    home.write('red/deep/placeholder', '');
    expect(await providersOf('red/deep')).toEqual(['shared', 'red']);
    become('red/deep');
    await reload();
    expect(await providersOf('red')).toEqual(['shared', 'red']);
    expect(await providersOf('red/deep')).toEqual(['shared', 'own']);
  });

  test('is told as the project that it was', async () => {
    become('gone');
    expect(await providersOf('gone')).toEqual(['shared', 'own']);
    rmSync(folder('gone/.drivebay'), { recursive: true });
    const { projects } = JSON.parse((await reload()).text) as ReloadReport;
    const [report] = projects.filter(({ root }) => root === folder('gone'));
    expect(report?.providers).toEqual([
      { name: 'shared', change: 'kept', what: [] },
      { name: 'own', change: 'removed', what: [] },
    ]);
  });
});

test('a reload does not tell one terminal what is wrong with the variables of another', async () => {
  const there = await home.runIn(folder('plain'), ['providers', 'status'], { DRIVEBAY_PLUGIN_PATH: '/of/another/one' });
  expect(there.stderr).toContain('DRIVEBAY_PLUGIN_PATH: /of/another/one is not a folder');
  expect((await home.run('reload')).stderr).toBe('');
});
