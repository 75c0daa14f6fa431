import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { productVersion } from '../../../core/package';
import { COMMONJS, HEALTHY, withCheck } from '../../setup/driver-code';
import { type CliOptions, runCli } from '../../setup/run-cli';
import { freePort, RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';

const KEY = 'sk-planted-key-0123456789';

const gateways: RunningGateway[] = [];
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL'))));

/** A gateway that is gone when the file is done, whatever fails in between. */
async function start(words: string[], options: CliOptions): Promise<RunningGateway> {
  const gateway = await RunningGateway.start(words, options);
  gateways.push(gateway);
  return gateway;
}

describe('the start', () => {
  const home = new TempHome();
  let gateway: RunningGateway;

  beforeAll(async () => {
    home.plugin('parrot', { code: COMMONJS });
    home.plugin('slow', { code: withCheck(`await new Promise(() => {});`) });
    home.plugin('wordy', {
      code: `module.exports = ({ log }) => (log.warn('an old setting'), ${HEALTHY});`,
    });
    home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
    home.plugin('crow', { code: 'throw new Error("no beak")' });
    home.write('project/.drivebay/placeholder', '');
    home.write('project/.env', `PLANTED_KEY=${KEY}\n`);
    home.configure(
      [
        'version: "1"',
        'default_provider: polly',
        'providers:',
        '  - { name: polly, driver: parrot, default_model: ara-1, colour: red }',
        '  - { name: sleepy, driver: slow }',
        '  - { name: chatty, driver: wordy }',
        '  - { name: keyless, driver: locked, api_key_env: MISSING_KEY }',
        '  - { name: keyed, driver: locked, api_key_env: PLANTED_KEY }',
        '  - { name: broken, driver: crow }',
        '',
      ].join('\n'),
    );
    gateway = await start([], { env: home.environment(), cwd: `${home.directory}/project` });
  });

  afterAll(async () => {
    await gateway.stop();
    home.remove();
  });

  test('prints address, providers and endpoints on stdout, and nothing else', () => {
    expect(gateway.stdout).toBe(
      [
        `drivebay ${productVersion} is listening on ${gateway.url}`,
        '',
        'Providers          Driver  Model',
        '  polly (default)  parrot  ara-1',
        '  sleepy           slow    -',
        '  chatty           wordy   -',
        '  keyless          locked  -',
        '  keyed            locked  -',
        '  broken           crow    -',
        '',
        'Endpoints',
        `  POST ${gateway.url}/v1/chat/completions`,
        `  GET  ${gateway.url}/v1/models`,
        `  GET  ${gateway.url}/dashboard/  (opened by: drivebay dashboard)`,
        `  GET  ${gateway.url}/health`,
        '',
      ].join('\n'),
    );
  });

  test('answers while checks are still running: a slow backend delays nobody', async () => {
    const health = await fetch(`${gateway.url}/health`);
    expect(await health.json()).toEqual({ status: 'ok', providers: 6 });
    const answer = await gateway.chat({ model: 'polly' });
    expect(answer.status).toBe(200);
    expect(gateway.stderr).not.toContain('sleepy');
  });

  test('checks every provider, and logs what came out', async () => {
    await gateway.untilOutput(/sleepy is offline: no answer within 3 s/);
    expect(gateway.stderr).toMatch(/info +polly is healthy ms=\d+/);
    expect(gateway.stderr).toMatch(/warn +broken is offline: plug-in .*crow failed to load: no beak/);
  });

  test('makes every driver, so that its warnings are seen', () => {
    expect(gateway.stderr).toMatch(/warn +an old setting provider=chatty/);
  });

  test('logs the warnings of the configuration with their places', () => {
    expect(gateway.stderr).toMatch(/warn .*providers\.yaml:4:58: provider "polly": unknown option colour, ignored/);
  });

  test('says which key is missing, where it looked, and what to type', () => {
    const project = `${home.directory}/project`;
    const places = ['.env.development.local', '.env.development', '.env.local', '.env'].map(
      (name) => `${project}/${name}`,
    );
    expect(gateway.stderr).toContain(
      `keyless is offline: no API key: MISSING_KEY is not set (looked in ${places.join(', ')}, process environment)`,
    );
    expect(gateway.stderr).toContain('export MISSING_KEY=...');
    expect(gateway.stderr).toMatch(/info +keyed is healthy/);
    expect(gateway.stderr + gateway.stdout).not.toContain(KEY);
  });

  test('a second one on the same port ends with 1 and says who has it', async () => {
    const { code, stdout, stderr } = await runCli(['serve', '--port', String(gateway.port)], {
      env: home.environment(),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `error: port ${gateway.port} is taken by another drivebay (drivebay ${productVersion})\n` +
        `  use the one that runs at ${gateway.url}, stop it, or choose another port: drivebay serve --port ${gateway.port + 1}\n`,
    );
  });

  test('listens on 127.0.0.1 and on no other address', async () => {
    await expect(fetch(`http://[::1]:${gateway.port}/health`)).rejects.toThrow();
  });
});

describe('a port that another program has', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  async function take(server: Server): Promise<number> {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  test.each([
    ['speaks HTTP', () => createServer((_, response) => response.end('hello'))],
    ['speaks something else', () => createTcpServer((socket) => socket.end('220 mail ready\r\n'))],
    ['says nothing at all', () => createTcpServer(() => undefined)],
  ])('which %s', async (_, make) => {
    const home = new TempHome();
    const port = await take(make());
    const { code, stdout, stderr } = await runCli(['serve', '--demo', '--port', String(port)], {
      env: home.environment(),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `error: port ${port} is taken by another program\n` +
        `  choose another port: drivebay serve --port ${port + 1}; to see which one: lsof -i :${port}\n`,
    );
    home.remove();
  });
});

describe('what there is to serve', () => {
  test('no provider: it runs, and says where to add one', async () => {
    const home = new TempHome();
    const file = home.configure('version: "1"\nproviders: []\n');
    const gateway = await start([], { env: home.environment() });
    await gateway.untilOutput(/no provider is configured/);
    expect(gateway.stderr).toContain(`add one to ${file}, or run drivebay init, or try: drivebay serve --demo`);
    expect(gateway.stdout).not.toContain('Providers');
    const answer = await gateway.chat({ model: 'any' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'model_not_found' } });
    await gateway.stop();
    home.remove();
  });

  test('no configuration file: the built-in provider is there, the default, and the log says so', async () => {
    const home = new TempHome();
    const gateway = await start([], { env: home.environment() });
    await gateway.untilOutput(/no configuration file found/);
    expect(gateway.stderr).toContain(`looked for ${home.directory}/.config/drivebay/providers.yaml`);
    expect(gateway.stdout.match(/ \(default\)/g)).toHaveLength(1);
    // Without its key it is offline, and says which variable it wants.
    await gateway.untilOutput(/is offline: no API key: \w+ is not set/);
    await gateway.stop();
    home.remove();
  });

  test('--demo: a provider that needs nothing answers its own name and any model', async () => {
    const home = new TempHome();
    home.configure('version: "1"\nproviders: []\n');
    const gateway = await start(['--demo'], { env: home.environment() });
    expect(gateway.stdout).toContain('  demo (default)  ');
    for (const model of ['demo', 'anything-else']) {
      const answer = await gateway.chat({ model });
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    }
    await gateway.stop();
    home.remove();
  });

  test('--demo names the request fields that have no effect on it', async () => {
    const home = new TempHome();
    const gateway = await start(['--demo'], { env: home.environment() });
    const fields = { temperature: 1, max_tokens: 5, response_format: { type: 'text' }, seed: 7, stream: true };
    const response = await gateway.chat({ model: 'demo', ...fields, stream_options: { include_usage: true } });
    expect(response.headers.get('x-drivebay-ignored-params')).toBe('temperature,max_tokens,response_format,seed');
    await response.text();
    const plain = await gateway.chat({ model: 'demo' });
    expect(plain.headers.get('x-drivebay-ignored-params')).toBeNull();
    await plain.text();
    await gateway.stop();
    home.remove();
  });

  test('a configuration that is changed meanwhile: the log says how it gets an effect', async () => {
    const home = new TempHome();
    const file = home.configure('version: "1"\nproviders: []\n');
    const gateway = await start(['--demo'], { env: home.environment() });
    home.configure('version: "1"\nproviders: [] # none\n');
    await gateway.untilOutput(/has changed/);
    expect(gateway.stderr).toMatch(
      new RegExp(`${file} has changed; for that to have an effect, end .drivebay serve. .* and start it again`),
    );
    await gateway.stop();
    home.remove();
  });

  test('--demo leaves a provider of that name, and a default, as they are', async () => {
    const home = new TempHome();
    home.plugin('parrot', { code: COMMONJS });
    home.configure(
      'version: "1"\ndefault_provider: mine\nproviders:\n  - { name: mine, driver: parrot }\n  - { name: demo, driver: parrot }\n',
    );
    const gateway = await start(['--demo'], { env: home.environment() });
    expect(gateway.stdout).toMatch(/^ {2}mine \(default\) +parrot/m);
    expect(gateway.stdout).toMatch(/^ {2}demo +parrot/m);
    await gateway.stop();
    home.remove();
  });
});

test('a configuration with mistakes starts nothing: exit code 2, all of them on stderr', async () => {
  const home = new TempHome();
  home.plugin('parrot', { code: COMMONJS });
  home.configure('version: "1"\nproviders:\n  - { name: a, driver: parot }\n  - { name: a, driver: parrot }\n');
  const result = await runCli(['serve', '--port', String(await freePort())], { env: home.environment() });
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^error: the configuration has 2 problems\n/);
  home.remove();
});
