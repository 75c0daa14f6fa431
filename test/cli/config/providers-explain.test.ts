import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeHttpServer } from '../../../core/authoring/fakes/fake-http-server';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const runs = join(home.directory, 'runs');
const KEY = 'sk-0123456789abcdef';
let server: FakeHttpServer;

/** A driver that starts a program: once to look at it, and once with the message, in one of three ways. */
const DRIVER = `module.exports = (context) => ({
  check: async () => {},
  metadata: async () => ({ billing: 'a subscription' }),
  async *chat(request, call) {
    const text = request.messages[0].parts[0].text;
    const { how, command } = context.options;
    const start = (args, more) => context.spawn(command, args, { signal: call.signal, ...more });
    for await (const _ of (await start(['--help'], { input: '' })).lines());
    const env = { ADDED: 'yes', OWN_TOKEN: 'whatever', HOME_ONLY: undefined };
    yield { type: 'meta', ignored: context.ignoredFields(request) };
    const program =
      how === 'argument' ? await start(['-p', text], { input: '', env })
      : how === 'input' ? await start(['-p'], { input: text, env })
      : await start(['-p'], { env });
    await program.write(text);
    for await (const line of program.lines()) yield { type: 'text', text: line };
    yield { type: 'finish', reason: 'stop' };
  },
});`;

beforeAll(async () => {
  server = await FakeHttpServer.start();
  const program = home.write('bin/my agent', `#!/bin/sh\necho "$@" >> '${runs}'\n`);
  chmodSync(program, 0o755);
  const options = { command: { type: 'string' }, how: { type: 'string', default: 'input' } };
  home.plugin('starter', { code: DRIVER, manifest: { kind: 'cli', options } });
  home.plugin('alone', {
    code: `module.exports = () => ({ check: async () => {}, async *chat() { yield { type: 'text', text: 'x' }; yield { type: 'finish', reason: 'stop' }; } });`,
  });
  home.configure(`version: "1"
providers:
  - name: api
    driver: chat-compat
    base_url: ${server.url}/v1
    default_model: m1
    api_key_env: MY_KEY
  - { name: piped, driver: starter, command: "${program}" }
  - { name: argued, driver: starter, command: "${program}", how: argument }
  - { name: written, driver: starter, command: "${program}", how: write }
  - { name: inside, driver: alone, default_model: m }
  - { name: secretive, driver: chat-compat, default_model: m, base_url: "http://u:hunter2secret@127.0.0.1:1/v1?api_key=AAAABBBB1234" }
  - { name: short, driver: chat-compat, default_model: m, base_url: "http://127.0.0.1:1/v1?key=k7k7" }
routes:
  - { name: smart, targets: ["api:m7", piped] }
clients:
  - { name: editor, api_key_env: EDITOR_KEY, allow: [piped], requests_per_minute: 1 }
`);
});
afterAll(() => server.close());

interface Shown {
  plan: Record<string, unknown> & { args: string[]; environment: { name: string; value: string | null }[] };
  options: { name: string; value: unknown; from: string }[];
  pays: string | null;
  key: unknown;
  failure: unknown;
}

async function explain(words: string[], env: Record<string, string> = { MY_KEY: KEY }) {
  const all = ['providers', 'explain', '--json', ...words];
  const { code, stdout, stderr } = await home.runIn(home.directory, all, { ...env, HOME_ONLY: '1' });
  expect(stdout + stderr).not.toContain(KEY);
  return { code, ...(JSON.parse(stdout) as Shown) };
}

test('of an API it shows the request, with the name of the key in place of the key, and sends nothing', async () => {
  const { plan, pays, key } = await explain(['api', '--model', 'm2', '--reasoning-effort', 'high']);
  expect(plan).toMatchObject({
    type: 'request',
    method: 'POST',
    url: `${server.url}/v1/chat/completions`,
    headers: { authorization: 'Bearer <MY_KEY>' },
    body: { model: 'm2', reasoning_effort: 'high', messages: [{ role: 'user', content: '<the message>' }] },
  });
  expect({ pays, key }).toEqual({ pays: 'MY_KEY', key: { name: 'MY_KEY', from: 'process environment' } });
  expect(server.requests).toEqual([]);
});

test('a key that is too short to be redacted elsewhere is not shown, either', async () => {
  const { plan } = await explain(['api'], { MY_KEY: 'k7' });
  expect(plan).toMatchObject({ headers: { authorization: 'Bearer <MY_KEY>' } });
});

test('a key in an address is not shown, in no form of the answer', async () => {
  const { plan, options } = await explain(['secretive']);
  expect(plan).toMatchObject({ url: 'http://127.0.0.1:1/v1/chat/completions?...' });
  expect(options).toContainEqual(expect.objectContaining({ name: 'base_url', value: 'http://...@127.0.0.1:1/v1?...' }));
  for (const name of ['secretive', 'short']) {
    for (const words of [[name], [name, '--json']]) {
      const { stdout, stderr } = await home.run('providers', 'explain', ...words);
      expect(stdout).toContain('127.0.0.1:1/v1');
      expect(stdout + stderr).not.toMatch(/hunter2secret|AAAABBBB1234|k7k7/);
    }
  }
});

test('every option says from which line it is', async () => {
  const { options } = await explain(['api']);
  const file = join(home.directory, '.config/drivebay/providers.yaml');
  expect(options).toEqual(
    expect.arrayContaining([
      { name: 'default_model', value: 'm1', from: `${file}:6:20` },
      { name: 'mode', value: 'stream', from: 'default' },
    ]),
  );
});

test.each<[string, Record<string, unknown>]>([
  ['piped', { args: ['-p'], stdin: '<the message>' }],
  ['argued', { args: ['-p', '<the message>'], stdin: '' }],
  ['written', { args: ['-p'], stdin: null }],
])(
  'of a program (%s) it shows arguments, folder and variables, and runs only what looks at it',
  async (name, expected) => {
    const { plan, pays } = await explain([name]);
    expect(plan).toMatchObject({ type: 'program', command: join(home.directory, 'bin/my agent'), ...expected });
    expect(plan.cwd).toBe(join(home.directory, '.cache/drivebay/providers', name));
    expect(plan.environment).toEqual(
      expect.arrayContaining([
        { name: 'ADDED', value: 'yes' },
        { name: 'OWN_TOKEN', value: '<not shown>' },
        { name: 'HOME_ONLY', value: null },
        { name: 'MY_KEY', value: null },
      ]),
    );
    expect(pays).toBe('a subscription');
    expect(new Set(readFileSync(runs, 'utf8').trim().split('\n'))).toEqual(new Set(['--help']));
  },
);

test('it explains the call of the owner: clients change nothing, and no program gets the key of one', async () => {
  const env = { MY_KEY: KEY, EDITOR_KEY: 'key-of-the-editor' };
  const api = await explain(['api'], env);
  expect([api.code, api.failure, api.plan]).toMatchObject([0, null, { headers: { authorization: 'Bearer <MY_KEY>' } }]);
  const { plan } = await explain(['piped'], env);
  expect(plan.environment).toContainEqual({ name: 'EDITOR_KEY', value: null });
  expect(JSON.stringify([api, plan])).not.toContain('key-of-the-editor');
});

test('as text it is what a person would look for', async () => {
  const { stdout } = await home.run('providers', 'explain', 'argued');
  expect(stdout).toMatch(/^provider +argued \(driver starter\)$/m);
  expect(stdout).toMatch(/^arguments +-p '<the message>'$/m);
  expect(stdout).toMatch(/^(variables)? +\+ ADDED=yes$/m);
});

test('where there would be no call it says why, with exit code 1', async () => {
  const saying = (text: string) => ({ code: 1, plan: null, failure: { message: expect.stringContaining(text) } });
  expect(await explain(['api'], {})).toMatchObject(saying('MY_KEY is not set'));
  expect(await explain(['inside'])).toMatchObject(saying('without a call'));
});

test('a provider that is not there is a usage error with those that are', async () => {
  const { code, stderr } = await home.run('providers', 'explain', 'pipd');
  expect(code).toBe(2);
  expect(stderr).toMatch(/there is no provider "pipd"\n {2}did you mean piped\? \(providers: api, piped/);
  expect(existsSync(join(home.directory, '.local/state/drivebay/daemon.sock'))).toBe(false);
});

test('of a route, the call of its first target is explained', async () => {
  expect(await explain(['smart'])).toMatchObject({ code: 0, provider: 'api', model: 'm7', failure: null });
});
