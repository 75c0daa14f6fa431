import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ControlClient } from '../../../core/daemon/client/control-client';
import { fixtureCases, httpBackend } from 'drivebay/testing';
import type { Replay } from '../../../core/daemon/debug/replay';
import type { ExchangeView } from '../../../core/record/exchange-view';
import { chatCompatWire } from '../../authoring/chat-compat-wire';
import { repository } from '../../setup/repository';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';
import { installScripted, type Step, stop, text, useScripted } from '../../gateway/scripted-driver';

const KEY = 'sk-a-key-that-stays-here';
const SECRET = 'a very private question';

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m-1, api_key_env: SCRIPTED_KEY }
  - { name: narrow, driver: scripted, default_model: n-1, max_concurrency: 1 }
  - { name: dead, driver: plain, default_model: d-1 }
routes:
  - { name: first, targets: [dead, main] }
`,
    env: { SCRIPTED_KEY: KEY },
  }),
);

/** Sends a request, waits for its answer, and gives its id. */
async function ask(model: string, script: Step[], fields: Record<string, unknown> = {}): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}`, 'user-agent': 'tester/1.0' };
  const messages = [{ role: 'user', content: SECRET }];
  const response = await gateway.chat({ model, messages, script, ...fields }, { headers });
  await response.text();
  return response.headers.get('x-request-id')!;
}

async function debug(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run('debug', ...words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The cases of a fixture for a driver that has not made it. */
function casesOf(fixture: string) {
  const files = [home.write('fixture.json', fixture)];
  return fixtureCases({
    directory: join(repository, 'plugins/chat-compat'),
    backend: httpBackend(chatCompatWire),
    fixtures: files,
  });
}

const client = () => new ControlClient(`${home.directory}/.local/state/drivebay/daemon.sock`);
const show = (id: string, content = false) => client().get<ExchangeView>(`/v1/exchanges/${id}`, { content });
const last = async (count: number) =>
  (await client().get<{ exchanges: ExchangeView[] }>('/v1/exchanges', { last: count })).exchanges;
const replay = (id: string) =>
  client().call<Replay>('POST', `/v1/exchanges/${id}/replay`, {
    body: { project: { workingDirectory: home.directory } },
  });

test('the last requests are listed with their stages, one line each', async () => {
  const first = await ask('main', [text('Hello'), { type: 'usage', inputTokens: 3, outputTokens: 1 }, stop]);
  const second = await ask('main', [{ fail: ['upstream', 'it broke'] }]);
  const lines = (await debug('--last', '2')).trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(new RegExp(`^${first} .*chat-completions .*main .* 200 .*4$`));
  expect(lines[2]).toMatch(new RegExp(`^${second} .* 502 `));
  const { exchanges } = JSON.parse(await debug('--json', '--last', '1')) as { exchanges: ExchangeView[] };
  expect(exchanges).toEqual(await last(1));
  expect(exchanges.map(({ id }) => id)).toEqual([second]);
});

test('where none is recorded, it says which requests are not kept', async () => {
  const own = new TempHome();
  own.configure('version: "1"\nproviders: []\n');
  const env = own.environment({ INBOUND: 'a-key-of-clients' });
  const guarded = await RunningGateway.start(['--api-key-env', 'INBOUND'], { env });
  try {
    expect((await guarded.chat({ model: 'x' })).status).toBe(401);
    expect(await own.run('debug')).toMatchObject({
      code: 0,
      stderr: 'no request is recorded since the daemon started; requests without a valid key are not kept\n',
    });
  } finally {
    await guarded.stop();
  }
});

test('a route shows each target that was asked, with its outcome and its times', async () => {
  const script = [{ fail: ['upstream', 'it broke'] }];
  const { attempts, route, status } = await show(await ask('first', script));
  expect({ route, status }).toEqual({ route: 'first', status: 502 });
  expect(attempts).toMatchObject([
    { provider: 'dead', model: 'd-1', failure: 'upstream' },
    { provider: 'main', model: 'm-1', failure: 'upstream' },
  ]);
  expect(attempts[1]!.askedMs).toBeGreaterThanOrEqual(attempts[0]!.endedMs!);
});

test.each(['show', 'replay', 'export'])('debug %s of a text that is far too long blames no daemon', async (word) => {
  const { code, stderr } = await home.run('debug', word, 'x'.repeat(100_000));
  expect([code, stderr]).toEqual([
    2,
    'error: a word of this command, its folder or DRIVEBAY_PLUGIN_PATH is too long for the daemon\n' +
      '  a daemon takes 16 kB of them; shorten it\n',
  ]);
});

test('prompt, answer and the words of a failure are shown only with --with-content, and no key ever', async () => {
  const failed = await ask('main', [{ fail: ['upstream', `cannot do: ${SECRET}`] }]);
  const told = await ask('main', [{ key: 'tell' }, { type: 'reasoning', text: 'hm' }, text(' and more'), stop]);
  for (const id of [failed, told]) {
    for (const plain of [await debug('show', id), JSON.stringify([await show(id), await last(200)])]) {
      expect(plain).not.toContain(SECRET);
      expect(plain).not.toContain('and more');
      expect(plain).not.toContain(KEY);
    }
    const full = await debug('show', id, '--with-content');
    expect(full).toContain(SECRET);
    expect(full).not.toContain(KEY);
  }
  const { content, attempts } = await show(told, true);
  expect(content!.answer).toEqual({ text: '[redacted] and more', reasoning: 'hm', finish: 'stop', pieces: 2 });
  expect(content!.request).toMatchObject({ messages: [{ role: 'user', content: SECRET }] });
  expect(attempts).toMatchObject([{ provider: 'main', model: 'm-1' }]);
  expect(await show(failed, true)).toMatchObject({
    attempts: [{ failure: 'upstream', message: expect.stringContaining(SECRET) as string }],
  });
});

test('a request that has not ended shows the stage that it is in', async () => {
  const busy = gateway.chat({ model: 'narrow', script: [{ say: 'in the slot' }, { until: 'seen' }, text('x'), stop] });
  await gateway.untilOutput(/in the slot/);
  const waiting = gateway.chat({ model: 'narrow', script: [text('y'), stop] });
  let running: ExchangeView[] = [];
  while (running.filter(({ attempts }) => attempts[0]?.queuedMs !== undefined).length < 2) {
    running = (await last(2)).filter(({ state }) => state === 'running');
  }
  expect(running.map(({ attempts }) => attempts[0]!.askedMs === undefined)).toEqual([false, true]);
  expect(await debug('--last', '2')).toMatch(/narrow .* asked [^]*narrow .* queued /);
  await gateway.chat({ model: 'main', script: [{ open: 'seen' }, text('z'), stop] });
  for (const answer of [busy, waiting]) expect((await answer).status).toBe(200);
});

test('an id that is not there says where ids are', async () => {
  const { code, stderr } = await home.run('debug', 'show', 'req_none');
  expect(code).toBe(1);
  expect(stderr).toContain('no request with the id "req_none" is kept');
  expect(stderr).toContain('drivebay debug --last 200');
});

const CALL = { type: 'tool_call', index: 0, id: 'c-1', name: 'read', arguments: '{"file":"a"}' };
const ANSWER = [
  ...[{ type: 'reasoning', text: 'hm' }, text('The'), text(' answer'), CALL],
  ...[
    { type: 'usage', inputTokens: 3, outputTokens: 1 },
    { type: 'finish', reason: 'tool_calls' },
  ],
];
const TOOLS = [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }];

test.each([true, false])('an exported chat is played to another driver, streamed: %s', async (stream) => {
  const id = await ask('main', ANSWER, { stream, tools: TOOLS });
  const refused = await home.run('debug', 'export', id, '--as', 'fixture');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--with-content') as string });
  const fixture = await debug('export', id, '--as', 'fixture', '--with-content');
  const [only] = casesOf(fixture);
  expect(only).toMatchObject({ id: 'fixture.json', name: `request ${id} is answered as recorded` });
  await only!.run();
  await expect(casesOf(fixture.replaceAll('"The answer"', '"Another"'))[0]!.run()).rejects.toThrow(/The answer/);
});

test.each([
  [{ fail: ['rate_limited', 'slow down', { status: 429 }] }, 'rate_limited'],
  [{ fail: ['auth', 'no such key'] }, 'auth'],
])('a failure is played, too: %j', async (step, code) => {
  const fixture = await debug('export', await ask('main', [step]), '--as', 'fixture', '--with-content');
  const [only] = casesOf(fixture);
  expect(only!.name).toMatch(`fails with ${code}`);
  await only!.run();
  await expect(casesOf(fixture.replace('"failure"', '"other"'))[0]!.run()).rejects.toThrow();
});

test('a file that is not a fixture is refused with the command that makes one', () => {
  expect(() => casesOf('{}')).toThrow(/fixture.json is not a fixture: drivebay debug export/);
});

test('an export for a report has the versions and no content', async () => {
  const id = await ask('main', [text('and more'), stop]);
  const report = await debug('export', id);
  expect(JSON.parse(report)).toMatchObject({ node: process.version, platform: process.platform, exchange: { id } });
  expect(report).not.toContain(SECRET);
  expect(report).not.toContain('and more');
});

test('a request is sent again, also to another provider, and both answers are compared', async () => {
  const id = await ask('main', ANSWER, { stream: true, tools: TOOLS });
  const again = await replay(id);
  expect(again).toMatchObject({ isSame: true, recorded: { provider: 'main', toolCalls: 1, characters: 10 } });
  expect(again.replayed).toMatchObject({ provider: 'main', model: 'm-1', finish: 'tool_calls', failed: false });
  const other = await debug('replay', id, '--provider', 'narrow', '--with-content');
  expect(other).toMatch(/recorded +main .*\nagain +narrow +n-1 .*\n\nthe answers are the same\n/);
  expect(other.match(/\(tool call\) read {"file":"a"}/g)).toHaveLength(2);
  expect(JSON.stringify(again)).not.toContain('The answer');
});

test('two failures are no answers that are the same', async () => {
  const { code, stdout } = await home.run('debug', 'replay', await ask('dead', []));
  expect([code, stdout]).toEqual([1, expect.stringMatching(/\n\nno answer came, then and now\n$/)]);
});

test('a replay without an answer ends with exit code 1, and one of an embedding is refused', async () => {
  const failed = await home.run('debug', 'replay', await ask('main', [{ fail: ['upstream', SECRET] }]));
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/again +main .* failed /);
  expect(failed.stdout + failed.stderr).not.toContain(SECRET);
  const response = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', input: 'x' }),
  });
  const { code, stderr } = await home.run('debug', 'replay', response.headers.get('x-request-id')!);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a chat') as string });
});

test('serve --record writes requests into a file, as the daemon and at one that runs', async () => {
  const yaml =
    'version: "1"\ndefault_provider: main\nproviders:\n  - { name: main, driver: scripted, default_model: m-1 }\n';
  const other = new TempHome();
  installScripted(other);
  other.configure(yaml);
  const env = other.environment({});
  const folder = join(other.directory, 'requests');
  const first = await RunningGateway.start(['--record', folder], { env });
  const second = await RunningGateway.start(['--record', folder, '--record-content'], { env });
  for (const each of [first, second]) {
    await (
      await each.chat({ model: 'main', messages: [{ role: 'user', content: SECRET }], script: [text('Hello'), stop] })
    ).text();
  }
  const textOf = ({ port }: RunningGateway) => {
    try {
      return readFileSync(join(folder, `gateway-${port}.ndjson`), 'utf8');
    } catch {
      return '';
    }
  };
  await until(() => [first, second].every((each) => textOf(each).endsWith('\n')));
  const [plain, full] = [first, second].map((each) => JSON.parse(textOf(each)) as ExchangeView);
  expect(plain).toMatchObject({ provider: 'main', status: 200, attempts: [{ provider: 'main' }] });
  expect(textOf(first)).not.toMatch(/private|Hello/);
  expect(full!.content!.answer).toMatchObject({ text: 'Hello' });
  expect(JSON.stringify(full!.content!.request)).toContain(SECRET);
  expect(await second.stop()).toBe(0);
  expect(await first.stop()).toBe(0);
  const empty = await other.run('serve', '--record', '');
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--record names no folder')]);
  const half = await other.run('serve', '--record-content');
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('--record-content needs a folder')]);
  other.remove();
});
