import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { productVersion } from '../../../core/package';
import { COMMONJS, HEALTHY, withCheck } from '../../setup/driver-code';
import { RunningGateway } from '../../setup/running-gateway';
import { type TempHome, tempHome } from '../../setup/temp-home';

const KEY = 'sk-planted-key-0123456789';
const NO_PROVIDERS = 'version: "1"\nproviders: []\n';

const gateways: RunningGateway[] = [];
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL'))));

/** A gateway that ends with the tests of the file. */
async function start(home: TempHome, words: string[] = [], cwd = home.directory): Promise<RunningGateway> {
  const gateway = await RunningGateway.start(words, { env: home.environment(), cwd });
  gateways.push(gateway);
  return gateway;
}

describe('the start', () => {
  const home = tempHome();
  let gateway: RunningGateway;

  beforeAll(async () => {
    home.plugin('parrot', { code: COMMONJS });
    home.plugin('slow', { code: withCheck(`await new Promise(() => {});`) });
    home.plugin('wordy', {
      code: `module.exports = ({ log }) => (log.warn('an old setting'), ${HEALTHY});`,
      manifest: { aliases: ['talker'] },
    });
    home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
    home.plugin('crow', { code: 'throw new Error("no beak")' });
    home.write('project/.drivebay/placeholder', '');
    home.write('project/.env', `PLANTED_KEY=${KEY}\n`);
    home.configure(`version: "1"
default_provider: polly
providers:
  - { name: polly, driver: parrot, default_model: ara-1, colour: red }
  - { name: sleepy, driver: slow }
  - { name: chatty, driver: wordy }
  - { name: keyless, driver: locked, api_key_env: MISSING_KEY }
  - { name: keyed, driver: locked, api_key_env: PLANTED_KEY }
  - { name: broken, driver: crow }
`);
    gateway = await start(home, [], `${home.directory}/project`);
  });

  test('prints address, providers and endpoints on stdout, and nothing else', () => {
    expect(gateway.stdout).toBe(`drivebay ${productVersion} is listening on ${gateway.url}

Providers          Driver  Model
  polly (default)  parrot  ara-1
  sleepy           slow    -
  chatty           talker  -
  keyless          locked  -
  keyed            locked  -
  broken           crow    -

Endpoints
  POST ${gateway.url}/v1/chat/completions
  POST ${gateway.url}/v1/messages
  POST ${gateway.url}/v1/responses
  POST ${gateway.url}/v1/embeddings
  GET  ${gateway.url}/v1/models
  GET  ${gateway.url}/dashboard/  (opened by: drivebay dashboard)
  GET  ${gateway.url}/health
`);
  });

  test('answers while checks still run: a slow backend delays no request', async () => {
    const health = await fetch(`${gateway.url}/health`);
    expect(await health.json()).toEqual({ status: 'ok', providers: 6 });
    expect((await gateway.chat({ model: 'polly' })).status).toBe(200);
    expect(gateway.stderr).not.toContain('sleepy');
  });

  test('checks every provider, and logs the results', async () => {
    await gateway.untilOutput(/sleepy is offline: no answer within 3 s/);
    expect(gateway.stderr).toMatch(/info +polly is healthy ms=\d+/);
    expect(gateway.stderr).toMatch(/warn +broken is offline: plug-in .*crow failed to load: no beak/);
  });

  test('logs the warnings of the configuration with their places, and those of every driver', () => {
    expect(gateway.stderr).toMatch(/warn .*providers\.yaml:4:58: provider "polly": unknown option colour, ignored/);
    expect(gateway.stderr).toMatch(/warn +an old setting provider=chatty/);
  });

  test('says which key is missing, where it looked, and what to type', () => {
    const names = ['.env.development.local', '.env.development', '.env.local', '.env'];
    const places = names.map((name) => `${home.directory}/project/${name}`).join(', ');
    expect(gateway.stderr).toContain(
      `keyless is offline: no API key: MISSING_KEY is not set (looked in ${places}, the environment of the daemon (pid ${gateway.child.pid}))`,
    );
    expect(gateway.stderr).toContain('export MISSING_KEY=...');
    expect(gateway.stderr).toMatch(/info +keyed is healthy/);
    expect(gateway.stderr + gateway.stdout).not.toContain(KEY);
  });

  test('a second one on the same port ends with 1 and says which program has it', async () => {
    const port = String(gateway.port);
    expect(await home.run('serve', '--port', port)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: port ${port} is taken by another drivebay (drivebay ${productVersion})\n` +
        `  use the one that runs at ${gateway.url}, stop it, or choose another port: drivebay serve --port ${gateway.port + 1}\n`,
    });
  });

  test('listens on 127.0.0.1 and on no other address', async () => {
    await expect(fetch(`http://[::1]:${gateway.port}/health`)).rejects.toThrow();
  });
});

describe('a port that another program has', () => {
  test.each([
    ['speaks HTTP', () => createServer((_, response) => response.end('hello'))],
    ['speaks something else', () => createTcpServer((socket) => socket.end('220 mail ready\r\n'))],
    ['says nothing at all', () => createTcpServer(() => undefined)],
  ])('which %s', async (_, make) => {
    const server: Server = make().listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await tempHome().run('serve', '--demo', '--port', String(port))).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: port ${port} is taken by another program\n` +
        `  choose another port: drivebay serve --port ${port + 1}; to see which one: lsof -i :${port}\n`,
    });
  });
});

describe('what there is to serve', () => {
  test('no provider: it runs, and says where to add one', async () => {
    const home = tempHome();
    const file = home.configure(NO_PROVIDERS);
    const gateway = await start(home);
    await gateway.untilOutput(/no provider is configured/);
    expect(gateway.stderr).toContain(
      `add one to ${file}, or run drivebay providers add <driver>, or try: drivebay serve --demo`,
    );
    expect(gateway.stdout).not.toContain('Providers');
    const answer = await gateway.chat({ model: 'any' });
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }]);
  });

  test('no configuration file: the built-in provider is there, the default, and the log says so', async () => {
    const home = tempHome();
    const gateway = await start(home);
    await gateway.untilOutput(/no configuration file found/);
    expect(gateway.stderr).toContain(`looked for ${home.directory}/.config/drivebay/providers.yaml`);
    expect(gateway.stdout.match(/ \(default\)/g)).toHaveLength(1);
    // Without its key it is offline, and says which variable it wants.
    await gateway.untilOutput(/is offline: no API key: \w+ is not set/);
  });

  test('--demo: a provider that needs nothing answers its own name and any model', async () => {
    const home = tempHome();
    home.configure(NO_PROVIDERS);
    const gateway = await start(home, ['--demo']);
    expect(gateway.stdout).toContain('  demo (default)  ');
    for (const model of ['demo', 'anything-else']) {
      const answer = await gateway.chat({ model });
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    }
    const fields = { temperature: 1, max_tokens: 5, response_format: { type: 'text' }, seed: 7, stream: true };
    const streamed = await gateway.chat({ model: 'demo', ...fields, stream_options: { include_usage: true } });
    expect(streamed.headers.get('x-drivebay-ignored-params')).toBe('temperature,max_tokens,response_format,seed');
    await streamed.text();
  });

  test('a configuration that changes meanwhile: the log says how it takes effect', async () => {
    const home = tempHome();
    const file = home.configure(NO_PROVIDERS);
    const gateway = await start(home, ['--demo']);
    home.configure(NO_PROVIDERS.replace('[]', '[] # none'));
    await gateway.untilOutput(/has changed/);
    expect(gateway.stderr).toMatch(new RegExp(`${file} has changed; to apply the change, run: drivebay reload`));
  });

  test('--demo leaves a provider of that name, and a default, as they are', async () => {
    const home = tempHome();
    home.plugin('parrot', { code: COMMONJS });
    home.configure(
      'version: "1"\ndefault_provider: mine\nproviders:\n  - { name: mine, driver: parrot }\n  - { name: demo, driver: parrot }\n',
    );
    const gateway = await start(home, ['--demo']);
    expect(gateway.stdout).toMatch(/^ {2}mine \(default\) +parrot/m);
    expect(gateway.stdout).toMatch(/^ {2}demo +parrot/m);
  });

  test('a state folder that cannot be used costs a warning, and no gateway', async () => {
    const home = tempHome();
    const env = home.environment({ XDG_STATE_HOME: home.write('no-folder', '') });
    home.plugin('locked', { code: withCheck('context.requireApiKey();'), manifest: { options: { api_key_env: {} } } });
    home.providers('name: keyless, driver: locked, api_key_env: MISSING_KEY');
    const gateway = await RunningGateway.start(['--demo'], { env });
    gateways.push(gateway);
    await gateway.untilOutput(/warn +other commands cannot reach this gateway: /);
    // No command can bring it a key either.
    const restart = 'run: export MISSING_KEY=...; end `drivebay serve` (pid ' + gateway.child.pid + ') with Ctrl-C';
    await gateway.untilOutput({ test: (output) => output.includes(restart) });
    expect((await gateway.chat({ model: 'demo' })).status).toBe(200);
    // No command can open its dashboard, so the page names none.
    const page = await fetch(`${gateway.url}/dashboard/`);
    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('could not use its state folder')]);
    expect(await gateway.stop()).toBe(0);
  });
});
