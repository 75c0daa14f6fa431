import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChatEvent, Workspace } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, STALL } from 'drivebay/testing';
import createDriver from '../../plugins/delta-cli';
import type { Options } from '../../plugins/delta-cli/options';
import { chatRequest, newCall } from '../plugins/harness';
import { textOf } from '../plugins/cli-harness';
import { DEFAULTS } from '../plugins/delta-cli/harness';
import { OpenContext } from '../setup/open-context';
import { freePort, RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { givenUp } from '../setup/upstream';
import { answers, codexConfig, patches, refuses, runs } from './codex-answers';
import { installedCli } from './installed-cli';
import { processesGone, processesStarted } from './left-processes';

const codex = installedCli('codex');

let upstream: FakeHttpServer;
let home: TempHome;
let gateway: RunningGateway | undefined;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
  home = new TempHome();
});

afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await upstream.close();
  home.remove();
});

async function serve(answer: HttpAnswer | undefined, options = '', config = codexConfig(upstream.url)): Promise<void> {
  if (answer) upstream.answer(answer);
  home.write('.codex/config.toml', config);
  home.configure(
    `version: "1"\ndefault_provider: codex\nproviders:\n  - { name: codex, driver: codex, command: "${codex}"${options} }\n`,
  );
  gateway = await RunningGateway.start([], { env: home.environment({ LOOPBACK_KEY: 'key-of-the-test' }) });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of the wire
async function ask(body: Record<string, unknown> = {}): Promise<{ status: number; ms: number; json: any }> {
  const started = performance.now();
  const response = await gateway!.chat({ model: 'codex', ...body });
  return { status: response.status, json: await response.json(), ms: performance.now() - started };
}

interface DirectChat {
  workspace?: Workspace;
  model?: string;
  signal?: AbortSignal;
}

/** Without the gateway: the text of one answer of the driver. */
async function chatDirectly(options: Partial<Options>, { workspace, model, signal }: DirectChat = {}): Promise<string> {
  const environment = { LOOPBACK_KEY: 'k', HOME: home.directory };
  const open = new OpenContext<Options>('delta-cli', { ...DEFAULTS, command: codex, ...options }, environment);
  home.write('.codex/config.toml', codexConfig(upstream.url));
  try {
    const events: ChatEvent[] = [];
    const call = { ...newCall(signal), ...(workspace && { workspace }) };
    const request = chatRequest(model === undefined ? {} : { model });
    for await (const event of createDriver(open.context).chat(request, call)) events.push(event);
    return textOf(events);
  } finally {
    await open.close();
  }
}

const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/responses'));

test('a question gets its answer and the tokens that it cost', async () => {
  await serve(answers('Hello from the backend.'), ', reasoning_effort: HiGh');
  const { json } = await ask({
    model: 'codex:another-model',
    messages: [{ role: 'user', content: '/init @/etc/hosts' }],
  });
  expect(json).toMatchObject({
    choices: [{ message: { content: 'Hello from the backend.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 900 } },
  });
  const [{ body, headers } = { body: undefined, headers: {} }] = chats();
  expect(body).toMatchObject({ model: 'another-model', reasoning: { effort: 'HiGh' } });
  expect(body.input.at(-1).content).toEqual([{ type: 'input_text', text: '/init @/etc/hosts' }]);
  expect(headers).toMatchObject({ authorization: 'Bearer key-of-the-test' });
});

test('a gateway chat has no tools, starts no MCP server, and leaves no session behind', async () => {
  const marker = join(home.directory, 'mcp-started');
  const server = ['[mcp_servers.spy]', 'command = "touch"', `args = ["${marker}"]`];
  await serve(answers('Hi.'), '', codexConfig(upstream.url, server));
  expect((await ask()).status).toBe(200);
  expect(chats()[0]!.body.tools.map(({ name }: { name: string }) => name)).toEqual(['request_user_input']);
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(join(home.directory, '.codex'))).not.toContain('sessions');
});

// A model whose description gives it this tool, whatever the settings say.
test('a gateway chat writes nothing, even where there is no sandbox', async () => {
  const file = join(home.directory, 'written.txt');
  const patch = ['*** Begin Patch', `*** Add File: ${file}`, '+x', '*** End Patch', ''].join('\n');
  upstream.answer(patches(patch, 'Done.'));
  await chatDirectly({ sandbox_mode: 'danger-full-access' }, { model: 'gpt-5.5' });
  expect(existsSync(file)).toBe(false);
  expect(chats().at(-1)!.text).toContain('No usable execution environment');
  await chatDirectly({ sandbox_mode: 'danger-full-access', gateway_tools: true }, { model: 'gpt-5.5' });
  expect(existsSync(file)).toBe(true);
});

test('with gateway_tools they are there', async () => {
  upstream.answer(answers('Hi.'));
  await chatDirectly({ gateway_tools: true });
  expect(chats()[0]!.body.tools.map(({ name }: { name: string }) => name)).toContain('exec_command');
});

test('a stream has the same text', async () => {
  await serve(answers('Grüße \u{1F600}'));
  const response = await gateway!.chat({ model: 'codex', stream: true });
  const text = await response.text();
  expect(text).toContain(JSON.stringify('Grüße \u{1F600}'));
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
});

test('when the client leaves, the run ends', async () => {
  await serve(answers('Hi.', [STALL]), ', warm: false');
  const abort = new AbortController();
  const response = gateway!.chat({ model: 'codex' }, { signal: abort.signal }).catch(() => undefined);
  await upstream.until(() => chats().length > 0);
  abort.abort();
  await response;
  await givenUp(upstream, chats()[0]!);
  await processesGone(home.directory);
});

test('a process that is stopped leaves nothing of its tools, however they are started', async () => {
  upstream.answer(runs('sleep 300 & (setsid sleep 300 &); sleep 300', 'Done.'));
  const workspace = { directory: dirname(home.write('project/README.md', 'A project.')), skills: [], first: true };
  const abort = new AbortController();
  const failed = chatDirectly({ sandbox_mode: 'danger-full-access' }, { workspace, signal: abort.signal }).catch(
    (error: unknown) => error,
  );
  // The program, its launcher, and three that sleep: the last one in place of the shell.
  await upstream.until(() => chats().length > 0);
  await processesStarted(home.directory, 5);
  abort.abort(new Error('stopped'));
  expect(await failed).toMatchObject({ code: 'canceled' });
  await processesGone(home.directory);
});

test('an answer whose stream broke off is said once', async () => {
  const whole = answers('Only once.');
  upstream.answer({ ...whole, pieces: whole.pieces.slice(0, -1) });
  await serve(whole);
  expect((await ask()).json.choices[0].message.content).toBe('Only once.');
  expect(chats()).toHaveLength(2);
});

test('a wrong key is known at once', async () => {
  await serve(refuses(401, 'Incorrect API key provided.', 'invalid_api_key'));
  const { status, json, ms } = await ask();
  expect([status, json.error.code, json.error.details.kind]).toEqual([502, 'upstream_error', 'login_required']);
  expect(json.error.message).toContain('Incorrect API key provided.');
  expect(ms).toBeLessThan(5_000);
});

test('a CLI that is not logged in is known at once, with the command that helps', async () => {
  await serve(refuses(401, 'Missing bearer'), '', `openai_base_url = "${upstream.url}/v1"\nmodel = "some-model"`);
  const { json, ms } = await ask();
  expect(json.error.details).toMatchObject({ kind: 'login_required', hint: `run: ${codex} login` });
  expect(ms).toBeLessThan(5_000);
});

test.each([
  ['the vendor’s own', (url: string) => `openai_base_url = "${url}/v1"\nmodel = "some-model"`],
  ['a configured', (url: string) => codexConfig(url)],
])('a dead network is known at once, with %s backend', async (_, config) => {
  await serve(undefined, '', config(`http://127.0.0.1:${await freePort()}`));
  const { json, ms } = await ask();
  expect(json.error.details.kind).toBe('unreachable');
  expect(ms).toBeLessThan(5_000);
});

test.each([
  [500, null, 'Broken.', { kind: 'overloaded' }],
  [
    404,
    'model_not_found',
    "The model 'x' does not exist or you do not have access to it.",
    { kind: 'model_unavailable' },
  ],
  [400, null, 'Bad value.', { kind: 'rejected' }],
  [429, 'rate_limit_exceeded', 'Slow down.', { kind: 'rate_limited', upstream_status: 429 }],
])('a backend that answers %i, code %s, fails with its kind', async (status, code, message, details) => {
  const config = codexConfig(upstream.url).replace('stream_max_retries = 5', 'stream_max_retries = 0');
  await serve(refuses(status, message, code), '', config);
  const answer = await ask();
  expect([answer.status, answer.json.error.details]).toEqual([502, expect.objectContaining(details)]);
});

test('a usage limit says when it ends', async () => {
  const resets_at = Math.floor(Date.now() / 1000) + 2 * 3600;
  const error = { type: 'usage_limit_reached', plan_type: 'plus', resets_at };
  await serve({ status: 429, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify({ error })] });
  const { details } = (await ask()).json.error;
  expect(details.kind).toBe('usage_limit');
  expect(details.retry_after_s).toBeGreaterThan(2 * 3600 - 60);
  expect(details.retry_after_s).toBeLessThan(2 * 3600 + 120);
});

test('a prompt that is too long for the CLI is 400 and names the limit', async () => {
  await serve(answers('Hi.'));
  const { status, json } = await ask({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] });
  expect([status, json.error.param]).toEqual([400, 'messages']);
  expect(json.error.message).toContain('1048576 characters');
});

test('a flag that this version does not know is named', async () => {
  await serve(answers('Hi.'), ', extra_args: ["--full-auto"]');
  const { details } = (await ask()).json.error;
  expect(details).toMatchObject({ kind: 'bad_option', hint: 'remove --full-auto from extra_args' });
});

test('an agent process works in its folder, as far as the sandbox lets it', async () => {
  upstream.answer(runs('pwd > where.txt', 'Done.'));
  const directory = dirname(home.write('project/README.md', 'A project.'));
  const workspace = { directory, skills: [], first: true };
  const text = await chatDirectly({ sandbox_mode: 'danger-full-access' }, { workspace });
  expect(text).toBe('Done.');
  expect(readFileSync(join(directory, 'where.txt'), 'utf8')).toBe(`${directory}\n`);
});
