import { utimesSync } from 'node:fs';
import { tempHome } from '../../setup/temp-home';
import { RunningGateway } from '../../setup/running-gateway';
import { ask, gated, GATED_OPTIONS } from './gated-driver';

// A `serve` in the foreground is the daemon itself.

const running: RunningGateway[] = [];

afterAll(() => Promise.all(running.map((gateway) => gateway.stop('SIGKILL'))));

async function serve(...words: string[]) {
  const home = tempHome();
  home.plugin('gated', { code: gated('gated'), manifest: GATED_OPTIONS });
  home.providers('name: a, driver: gated, say: one');
  const env = home.environment({ GATEWAY_KEY: '' });
  const gateway = await RunningGateway.start(words, { env, cwd: home.directory });
  running.push(gateway);
  return { home, gateway };
}

test('SIGHUP reloads, says what it did, and says where a mistake is', async () => {
  const { home, gateway } = await serve();
  const { instance } = await ask(gateway, 'a:m');
  const file = home.providers('name: a, driver: gated, say: two, timeout_sec: soon');
  gateway.child.kill('SIGHUP');
  await gateway.untilOutput(
    new RegExp(`error +the configuration was not read again, because it has mistakes: ${file}:3:`),
  );
  expect((await ask(gateway, 'a:m')).instance).toBe(instance);
  home.providers('name: a, driver: gated, say: two');
  gateway.child.kill('SIGHUP');
  await gateway.untilOutput(/the configuration was read again: .*; changed a \(say\)/);
  expect((await ask(gateway, 'a:m')).say).toBe('two');
  gateway.child.kill('SIGHUP');
  await gateway.untilOutput(/the configuration was read again: nothing has changed/);
  expect(await gateway.stop()).toBe(0);
});

test('with --watch a change of a file is enough, also one that mends a mistake', async () => {
  const { home, gateway } = await serve('--watch');
  home.providers('name: a, driver: gatd');
  await gateway.untilOutput(/not read again, because it has mistakes: .*driver "gatd"/);
  home.providers('name: a, driver: gated, say: two');
  await gateway.untilOutput(/changed a \(say\)/);
  expect((await ask(gateway, 'a:m')).say).toBe('two');
  home.plugin('gated', { code: gated('newer'), manifest: GATED_OPTIONS });
  await gateway.untilOutput(/changed a \(its plug-in\)/);
  expect((await ask(gateway, 'a:m')).word).toBe('newer');
  expect(gateway.stderr).not.toContain('to apply the change');
  expect(await gateway.stop()).toBe(0);
});

test('with --watch a change before the start of the watch counts, too', async () => {
  const { home, gateway } = await serve();
  home.providers('name: a, driver: gated, say: two');
  const watching = await RunningGateway.start(['--watch'], {
    env: home.environment({ GATEWAY_KEY: '' }),
    cwd: home.directory,
  });
  running.push(watching);
  await watching.untilOutput(/changed a \(say\)/);
  expect((await ask(gateway, 'a:m')).say).toBe('two');
  await watching.stop();
  await gateway.stop();
});

test('with --watch new rights of a file count, although its size and time stay the same', async () => {
  const home = tempHome();
  home.plugin('gated', { code: gated('gated'), manifest: GATED_OPTIONS });
  const configure = (say: string) => {
    const file = home.providers(`name: a, driver: gated, say: ${say}`);
    utimesSync(file, 1_000_000_000, 1_000_000_000);
  };
  configure('one');
  const env = home.environment({ GATEWAY_KEY: '' });
  const gateway = await RunningGateway.start(['--watch'], { env, cwd: home.directory });
  running.push(gateway);
  configure('two');
  await gateway.untilOutput(/changed a \(say\)/);
  expect(await gateway.stop()).toBe(0);
});

test('what a project sets since a change is told, also where no command waits', async () => {
  const { home } = await serve();
  const project = (more: string) =>
    home.write('p/.drivebay/providers.yaml', `version: "1"\nproviders: [{ name: a, driver: gated${more} }]\n`);
  const env = home.environment({ GATEWAY_KEY: '' });
  for (const words of [['--watch'], []]) {
    project('');
    const gateway = await RunningGateway.start(words, { env, cwd: `${home.directory}/p` });
    running.push(gateway);
    await gateway.untilOutput(/this is a listener of the daemon/);
    expect(gateway.stderr).not.toContain('this project sets');
    project(`, base_url: "http://${words.length}.example"`);
    if (words.length === 0) gateway.child.kill('SIGHUP');
    await gateway.untilOutput(/warn +.*: this project sets base_url of provider "a"; said once/);
    await gateway.stop();
  }
});

test('with --watch a list of prices counts from its change on', async () => {
  const { home, gateway } = await serve('--watch');
  const table = home.write('prices.json', '{}');
  home.providers(`name: a, driver: gated, say: one, price_table: "${table}"`);
  await gateway.untilOutput(/changed a \(price_table, the price table\)/);
  home.write('prices.json', '{ "m": { "input_cost_per_token": 0.5 } }');
  await gateway.untilOutput(/changed a \(the price table\)/);
  expect(await gateway.stop()).toBe(0);
});

test('what a gateway without a key must not have is refused', async () => {
  const { home, gateway } = await serve();
  home.configure(`version: "1"
providers:
  - { name: a, driver: gated, say: two }
  - { name: agent, driver: claude-code, gateway_tools: true }
`);
  const { code, stderr } = await home.run('reload');
  expect(code).toBe(2);
  expect(stderr).toContain('provider "agent" lets chats of the gateway use its tools (gateway_tools, ');
  expect((await ask(gateway, 'a:m')).say).toBe('one');
  await gateway.stop();
});

test('a key of the gateway that is another one in a file is named, because it stays', async () => {
  const home = tempHome();
  home.plugin('gated', { code: gated('gated'), manifest: GATED_OPTIONS });
  home.providers('name: a, driver: gated');
  home.write('.drivebay/placeholder', '');
  home.write('.env', 'GATEWAY_KEY=first-key-of-the-gateway\n');
  const env = home.environment();
  const gateway = await RunningGateway.start(['--api-key-env', 'GATEWAY_KEY'], { env, cwd: home.directory });
  running.push(gateway);
  expect((await home.run('reload')).stderr).toBe('');
  home.write('.env', 'GATEWAY_KEY=second-key-of-the-gateway\n');
  expect((await home.run('reload')).stderr).toBe(
    `not reloaded: the gateway on port ${gateway.port} keeps the key that GATEWAY_KEY had when it was opened; ` +
      'to use the new ones, end its `drivebay serve` with Ctrl-C and start it again\n',
  );
  await gateway.stop();
});

test('a gateway stays with the project that it was opened for, and a reload says so', async () => {
  const { home, gateway } = await serve();
  home.write('.drivebay/providers.yaml', 'version: "1"\nproviders: [{ name: own, driver: gated }]\n');
  const { stdout, stderr } = await home.run('reload');
  expect(stdout).not.toContain('own');
  expect(stderr).toBe(
    `not reloaded: the gateway on port ${gateway.port} stays outside of projects, and ${home.directory} is now in project ` +
      `${home.directory}; for a gateway there, end its \`drivebay serve\` with Ctrl-C and start it again\n`,
  );
  await gateway.stop();
});
