import { rmSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { RunningGateway } from '../../setup/running-gateway';
import { until } from '../../setup/until';
import { ask, gated, GATED_OPTIONS } from './gated-driver';

const home = new DaemonHome();
let gateway: RunningGateway;
let pid: number;

const KEPT = 'name: kept, driver: gated, default_model: m';
const START = [KEPT, 'name: other, driver: gated, say: one, max_concurrency: 3'];

const reload = (...words: string[]) => home.run('reload', ...words);

beforeAll(async () => {
  home.plugin('gated', { code: gated('gated'), manifest: GATED_OPTIONS });
  home.providers(...START);
  home.write('work/.drivebay/placeholder', '');
  pid = await home.start();
  gateway = await RunningGateway.start([], { env: home.environment(), cwd: `${home.directory}/work` });
});

afterAll(() => gateway.stop('SIGKILL'));

afterEach(async () => {
  home.providers(...START);
  expect((await home.call('POST', '/v1/reload')).status).toBe(200);
});

test('without a change nothing is made anew', async () => {
  const { instance } = await ask(gateway, 'kept');
  const { code, stdout } = await reload();
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `project ${home.directory}/work (${home.directory}/.config/drivebay/providers.yaml)
  kept      kept, other
nothing has changed\n`,
  });
  expect((await ask(gateway, 'kept')).instance).toBe(instance);
});

test('added, removed and changed providers are told, and a provider that is the same keeps its driver', async () => {
  const [kept, other] = [await ask(gateway, 'kept'), await ask(gateway, 'other:m')];
  expect(other).toMatchObject({ status: 200, say: 'one' });
  home.providers(
    KEPT,
    'name: other, driver: gated, say: two, max_concurrency: 3, timeout_sec: 9',
    'name: fresh, driver: gated',
  );
  const { stdout } = await reload();
  expect(stdout).toContain(`
  changed   other (timeout_sec, say)
  added     fresh
  kept      kept
reloaded\n`);
  expect(await ask(gateway, 'kept')).toEqual(kept);
  const changed = await ask(gateway, 'other:m');
  expect(changed).toMatchObject({ status: 200, say: 'two' });
  expect(changed.instance).not.toBe(other.instance);
  expect((await ask(gateway, 'fresh:m')).status).toBe(200);
  // The driver of before has no user any more.
  await gateway.untilOutput(new RegExp(`closed ${other.instance}`));
  expect(gateway.stderr).not.toContain(`closed ${kept.instance}`);
  await gateway.untilOutput(
    /the configuration was read again: project .*; changed other \(timeout_sec, say\); added fresh/,
  );
});

test('a removed provider answers as an unknown name does', async () => {
  home.providers(KEPT);
  expect((await reload()).stdout).toContain('  removed   other\n');
  const body = async (model: string) => {
    const response = await gateway.chat({ model });
    return { status: response.status, text: (await response.text()).replaceAll(model, 'NAME') };
  };
  const removed = await body('other');
  expect(removed).toEqual(await body('never'));
  expect(removed.status).toBe(404);
  const listed = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
  expect(listed.data.map(({ id }) => id)).toEqual(['kept', 'kept:m']);
});

test('a request that runs on a changed provider finishes on it, and only then is it closed', async () => {
  const before = await ask(gateway, 'other:m');
  const gate = `${home.directory}/gate-1`;
  const running = ask(gateway, 'other:m', gate);
  await waitForRunning();
  home.providers(KEPT, 'name: other, driver: gated, say: two');
  await reload();
  expect(await ask(gateway, 'other:m')).toMatchObject({ say: 'two' });
  expect(gateway.stderr).not.toContain(`closed ${before.instance}`);
  home.write('gate-1', '');
  expect(await running).toEqual(before);
  await gateway.untilOutput(new RegExp(`closed ${before.instance}`));
});

test('with a lower max_concurrency what runs on the old provider counts, and with none what waits begins', async () => {
  const gates = ['one', 'two'].map((name) => `${home.directory}/gate-of-${name}`);
  const limited = (limit: number) => home.providers(KEPT, `name: other, driver: gated, max_concurrency: ${limit}`);
  limited(2);
  await reload();
  const running = gates.map((gate) => ask(gateway, 'other:m', gate));
  await until(async () => (await queueOf('other'))?.running === 2);
  limited(1);
  await reload();
  const third = ask(gateway, 'other:m');
  await until(async () => (await queueOf('other'))?.waiting === 1);
  home.write('gate-of-one', '');
  await running[0];
  expect(await queueOf('other')).toEqual({ running: 1, waiting: 1, limit: 1 });
  home.providers(KEPT, 'name: other, driver: gated');
  await reload();
  expect(await third).toMatchObject({ status: 200 });
  home.write('gate-of-two', '');
  await running[1];
});

test('a request that runs on a removed provider finishes on it', async () => {
  const gate = `${home.directory}/gate-2`;
  const running = ask(gateway, 'other:m', gate);
  await waitForRunning();
  home.providers(KEPT);
  await reload();
  home.write('gate-2', '');
  expect(await running).toMatchObject({ status: 200, say: 'one' });
});

test('an agent that runs on a removed provider finishes', async () => {
  const gate = `${home.directory}/gate-3`;
  const { stdout } = await home.run('run', '--provider', 'other', '--model', 'm', '--detach', gate);
  const process = /\d+/.exec(stdout)![0];
  await until(async () => (await home.run('ps')).stdout.includes('running'));
  home.providers(KEPT);
  await reload();
  home.write('gate-3', '');
  const ended = await home.run('wait', process);
  expect(ended.code).toBe(0);
  expect((await home.run('trace', process)).stdout).toContain('gated one');
});

test('a mistake changes nothing, and is told with its place', async () => {
  const before = await ask(gateway, 'other:m');
  const file = home.configure(`version: "1"
providers:
  - { name: kept, driver: gated, say: two }
  - { name: third, driver: gatd }
  - { name: fourth, driver: gated, timeout_sec: soon }
`);
  const { code, stdout, stderr } = await reload();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`error: the configuration has 2 problems\n  ${file}:4:28: providers[1].driver: no plug-in`);
  expect(stderr).toContain(`${file}:5:`);
  expect(await ask(gateway, 'other:m')).toEqual(before);
  expect(await ask(gateway, 'kept')).toMatchObject({ say: '' });
  expect((await ask(gateway, 'fourth:m')).status).toBe(404);
});

test('a mistake in the file of one project keeps the others from a reload, too', async () => {
  home.write('second/.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: own, driver: gated }\n');
  const open = await home.call('GET', `/v1/project?workingDirectory=${home.directory}/second`);
  expect(open.status).toBe(200);
  const file = home.write(
    'second/.drivebay/providers.yaml',
    'version: "1"\nproviders:\n  - { name: own, driver: gatd }\n',
  );
  home.providers(KEPT);
  const { code, stderr } = await reload();
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}:3:`);
  expect((await ask(gateway, 'other:m')).status).toBe(200);
  home.write('second/.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: own, driver: gated, say: x }\n');
  const { stdout } = await reload();
  expect(stdout).toContain(`project ${home.directory}/second (`);
  expect(stdout).toContain('  changed   own (say)\n  removed   other\n  kept      kept\n');
});

test('a dry run says what would change, and changes nothing', async () => {
  home.providers(KEPT);
  const { code, stdout } = await reload('--dry-run', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    dryRun: true,
    projects: expect.arrayContaining([
      {
        root: `${home.directory}/work`,
        files: [`${home.directory}/.config/drivebay/providers.yaml`],
        providers: [
          { name: 'kept', change: 'kept', what: [] },
          { name: 'other', change: 'removed', what: [] },
        ],
        routes: [],
        servers: [],
        settings: [],
      },
    ]),
    warnings: [],
    restart: [],
  });
  expect((await reload('--dry-run')).stdout).toContain('dry run: nothing was reloaded; to do it: drivebay reload\n');
  expect((await ask(gateway, 'other:m')).status).toBe(200);
});

test('what a dry run has told once, the reload tells, too', async () => {
  const file = home.write(
    'work/.drivebay/providers.yaml',
    'version: "1"\nproviders:\n  - { name: own, driver: gated, api_key_env: OWN_KEY }\n',
  );
  const notice = /this project sets api_key_env of provider "own"/;
  expect((await reload('--dry-run')).stderr).toMatch(notice);
  expect((await reload('--dry-run')).stderr).toMatch(notice);
  expect((await reload()).stderr).toMatch(notice);
  expect((await reload()).stderr).not.toMatch(notice);
  rmSync(file);
});

test('SIGHUP to the daemon, and to a serve that is a listener of it, reloads', async () => {
  home.providers(KEPT);
  process.kill(pid, 'SIGHUP');
  await until(async () => (await ask(gateway, 'other:m')).status === 404);
  home.providers(...START);
  gateway.child.kill('SIGHUP');
  await until(async () => (await ask(gateway, 'other:m')).status === 200);
});

test('routes follow: the same route asks the new provider, and a changed one is told', async () => {
  const route = (...targets: string[]) =>
    `routes:\n  - { name: smart, targets: [${targets.join(', ')}] }\n  - { name: outer, targets: [smart] }\n`;
  const entries = (say: string) =>
    `version: "1"\nproviders:\n  - { ${KEPT} }\n  - { name: other, driver: gated, default_model: m, say: ${say} }\n`;
  home.configure(entries('one') + route('other', 'kept'));
  expect((await reload()).stdout).toContain('  added     route smart\n  added     route outer\n');
  expect(await ask(gateway, 'outer')).toMatchObject({ say: 'one' });
  home.configure(entries('two') + route('other', 'kept'));
  expect((await reload()).stdout).toContain('  changed   other (say)\n  kept      kept, route smart, route outer\n');
  expect(await ask(gateway, 'outer')).toMatchObject({ say: 'two' });
  home.configure(entries('two') + route('kept'));
  expect((await reload()).stdout).toContain('  changed   route smart (targets)\n');
  expect(await ask(gateway, 'outer')).toMatchObject({ say: '' });
});

test('another key in a .env file makes the provider anew; the key of a terminal is taken along', async () => {
  const keyed = 'name: other, driver: gated, say: one, max_concurrency: 3, api_key_env: THE_KEY';
  home.write('work/.env', 'THE_KEY=first-key-of-file\n');
  home.providers(KEPT, keyed);
  await reload();
  home.write('work/.env', 'THE_KEY=second-key-of-file\n');
  const { stdout } = await reload();
  expect(stdout).toContain('  changed   other (the value of THE_KEY)\n');
  expect(stdout).not.toContain('second-key');
  home.write('work/.env', '');
  home.providers(KEPT, keyed);
  await home.runIn(`${home.directory}/work`, ['reload'], { THE_KEY: 'a-key-of-the-terminal' });
  const again = await home.runIn(`${home.directory}/work`, ['reload'], { THE_KEY: 'a-key-of-the-terminal' });
  expect(again.stdout).toContain('nothing has changed');
});

test('a default that is another one is told, and used', async () => {
  home.configure(`version: "1"\ndefault_provider: other\nproviders:\n  - { ${KEPT} }\n  - { ${START[1]} }\n`);
  expect((await reload()).stdout).toContain('  changed   default_provider\n');
  expect(await ask(gateway, 'some-model')).toMatchObject({ status: 200, say: 'one' });
});

test('without a daemon there is nothing to reload', async () => {
  const empty = new DaemonHome();
  expect(await empty.run('reload')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'error: no daemon is running, so there is nothing to reload\n' +
      '  each command reads the configuration when it starts; to serve it, run: drivebay serve\n',
  });
});

async function waitForRunning(): Promise<void> {
  await until(async () => (await queueOf('other'))?.running === 1);
}

async function queueOf(name: string): Promise<{ running: number; waiting: number; limit: number } | null> {
  const { text } = await home.call('GET', `/v1/providers?workingDirectory=${home.directory}/work`);
  const { providers } = JSON.parse(text) as { providers: { name: string; queue: null }[] };
  return providers.find((provider) => provider.name === name)!.queue;
}
