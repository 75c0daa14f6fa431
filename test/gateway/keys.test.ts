import { RunningGateway } from '../setup/running-gateway';
import { runCli } from '../setup/run-cli';
import { TempHome } from '../setup/temp-home';
import { completion, DONE, delta, finish, json, posts, sse, Upstream } from '../setup/upstream';
import { installScripted, type Step, stop, text } from './scripted-driver';

/** With everything that is spelled otherwise inside JSON or a URL. */
const FILE_KEY = 'sk-from-file+a/b="c\\d"';
const CHATS = '/v1/chat/completions';
const ENV_KEY = 'sk-from-environment-1234';
const home = new TempHome();
const project = `${home.directory}/project`;
const environment = home.environment({ ENV_KEY, FILE_KEY: 'sk-overridden-by-the-file' });
let upstream: Upstream;
/** Everything that came out of the program anywhere, but the text of models. */
const outputs: string[] = [];

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ headers, body, path }) => {
    const key = headers.authorization ?? '';
    if (body.user === 'answer') return body.stream ? sse([delta(key), finish(), DONE]) : json(completion(key));
    const error = {
      message: `wrong key ${key} at ${path}?key=${encodeURIComponent(key)}`,
      type: key,
      code: key,
      param: key,
    };
    if (body.user === 'in the stream') return sse([delta('Hel'), { error }, DONE]);
    return json({ error }, { status: Number(body.user ?? 401), headers: { 'x-key': key, 'www-authenticate': key } });
  });
  installScripted(home);
  home.write('project/.drivebay/.keep', '');
  home.write('project/.env.local', `FILE_KEY='${FILE_KEY}'\n`);
  const real = (name: string, key: string) =>
    `  - { name: ${name}, driver: chat-compat, default_model: m, base_url: "${upstream.url}/v1", api_key_env: ${key} }\n`;
  home.configure(`version: "1"
providers:
${real('filed', 'FILE_KEY')}${real('exported', 'ENV_KEY')}  - { name: scripted, driver: scripted, default_model: m, api_key_env: FILE_KEY, check: tell }
  - { name: agent, driver: agent, api_key_env: ENV_KEY }
`);
});

afterAll(async () => {
  await upstream.close();
  home.remove();
});

async function collect(response: Response): Promise<void> {
  outputs.push(JSON.stringify([...response.headers]), await response.text());
}

const STEPS: Step[][] = [FILE_KEY, ENV_KEY].flatMap((key) => [
  [{ fail: ['upstream', `it said ${key}`, { hint: `use ${key}`, kind: key, param: key }] }],
  [{ raise: `a plain error about ${JSON.stringify({ key })}` }],
  [text('x'), { fail: ['timeout', `after the head: ${encodeURIComponent(key)}`, { sideEffects: true }] }],
  [{ say: `a log line with ${key}`, fields: { key, nested: { key: [key] } } }, text('x'), stop],
  [{ say: `debugging ${key}`, debug: true, fields: { key } }, text('x'), stop],
]);

describe.each(['text', 'json'])('a gateway that logs everything as %s', (format) => {
  let gateway: RunningGateway;

  beforeAll(async () => {
    gateway = await RunningGateway.start(['--log-level', 'debug', '--log-format', format], {
      env: environment,
      cwd: project,
    });
  });

  test('sends each provider its own key, from the file of the project before the environment', async () => {
    const count = posts(upstream).length;
    for (const model of ['filed', 'exported']) await collect(await gateway.chat({ model }));
    const sent = posts(upstream)
      .slice(count)
      .map(({ headers }) => headers.authorization);
    expect(sent).toEqual([`Bearer ${FILE_KEY}`, `Bearer ${ENV_KEY}`]);
  });

  test('lets a request set neither the address nor a header nor the key', async () => {
    const count = posts(upstream).length;
    const evil = { base_url: 'http://127.0.0.1:1', api_key_env: 'ENV_KEY', headers: { 'x-evil': '1' } };
    await (await gateway.chat({ model: 'filed', ...evil })).text();
    const { path, headers } = posts(upstream)[count]!;
    expect([path, headers['x-evil'], headers.authorization]).toEqual([CHATS, undefined, `Bearer ${FILE_KEY}`]);
  });

  test('passes the text of a model untouched', async () => {
    for (const stream of [true, false]) {
      const response = await gateway.chat({ model: 'exported', user: 'answer', stream });
      expect(await response.text()).toContain(`Bearer ${ENV_KEY}`);
    }
    const told = await gateway.chat({ model: 'scripted', script: [{ key: 'tell' }, stop] });
    expect(await told.json()).toMatchObject({ choices: [{ message: { content: FILE_KEY } }] });
  });

  test('answers errors of backends and drivers', async () => {
    for (const model of ['filed', 'exported']) {
      for (const user of ['400', '401', '429', '500', 'in the stream']) {
        await collect(await gateway.chat({ model, user, stream: true }));
        await collect(await gateway.chat({ model, user }));
      }
    }
    for (const steps of STEPS) {
      for (const model of ['scripted', 'agent']) {
        // Both keys are known once they have been used.
        await collect(await gateway.chat({ model, stream: true, script: [{ key: 'resolve' }, ...steps] }));
      }
    }
    await collect(await fetch(`${gateway.url}/v1/models`));
    await gateway.stop();
    expect(gateway.stderr).toContain('a log line with [redacted]');
    expect(gateway.stderr).toContain('debugging [redacted]');
    outputs.push(gateway.stdout, gateway.stderr);
  });
});

test('the status shows the reasons', async () => {
  for (const words of [
    ['providers', 'status'],
    ['providers', 'status', '--json'],
    ['plugins', 'list', '--json'],
    ['config', 'check'],
  ]) {
    const { code, stdout, stderr } = await runCli(words, { env: environment, cwd: project });
    expect(code).toBe(0);
    outputs.push(stdout, stderr);
    if (words[1] === 'status') expect(stdout + stderr).toContain('the key is [redacted]');
  }
});

// Last: it looks at what the others have collected.
test.each([FILE_KEY, ENV_KEY])('the key %j is in none of it, in no spelling', (key) => {
  const all = outputs.join('\n');
  expect(all.length).toBeGreaterThan(20_000);
  expect(all).toContain('[redacted]');
  for (const spelling of [
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    JSON.stringify(JSON.stringify(key)).slice(3, -3),
  ]) {
    expect(all.split(spelling).length - 1).toBe(0);
  }
});
