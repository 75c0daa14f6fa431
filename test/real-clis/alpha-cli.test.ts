import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent, ChatRequest, DriverFailure, Message, Workspace } from 'drivebay/plugin';
import { CUT, FakeHttpServer, type HttpAnswer, type HttpAnswerer, json, STALL } from 'drivebay/testing';
import createDriver from '../../plugins/alpha-cli';
import { DEFAULTS } from '../plugins/alpha-cli/harness';
import { textOf } from '../plugins/cli-harness';
import { chatRequest, newCall } from '../plugins/harness';
import type { Options } from '../../plugins/alpha-cli/environment';
import { OpenContext } from '../setup/open-context';
import { freePort, RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { givenUp } from '../setup/upstream';
import { answers, refuses, runs } from './claude-answers';
import { installedCli } from './installed-cli';
import { processesGone, processesStarted } from './left-processes';

const claude = installedCli('claude');

let upstream: FakeHttpServer;
let open: OpenContext<Options> | undefined;
/** `IS_SANDBOX`: as root the program wants it. */
let environment: Record<string, string>;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
  environment = {
    ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
  };
});

afterEach(async () => {
  await open?.close();
  open = undefined;
  await upstream.close();
});

/** The program greets its backend with requests that are no chats. */
const play = (answer: HttpAnswer | HttpAnswerer) =>
  upstream.answer((request) => {
    if (request.method !== 'POST' || !request.path.startsWith('/v1/messages')) return json({});
    return typeof answer === 'function' ? answer(request) : answer;
  });

const chats = () =>
  upstream.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/messages'));

interface ChatOptions {
  request?: Partial<ChatRequest>;
  workspace?: Workspace;
  signal?: AbortSignal;
}

interface Chatted {
  events: ChatEvent[];
  text: string;
  failure?: DriverFailure;
  ms: number;
}

async function chat(options: Partial<Options> = {}, more: ChatOptions = {}): Promise<Chatted> {
  const all = { ...DEFAULTS, command: claude, api_key_env: 'MY_KEY', ...options };
  if (all.api_key_env === '') delete (all as Partial<Options>).api_key_env;
  open = new OpenContext<Options>('alpha-cli', all, environment);
  const request = chatRequest({ model: 'claude-opus-4-8', ...more.request });
  const call = { ...newCall(more.signal), log: open.context.log, workspace: more.workspace };
  const events: ChatEvent[] = [];
  const started = performance.now();
  let failure: DriverFailure | undefined;
  try {
    for await (const event of createDriver(open.context).chat(request, call)) events.push(event);
  } catch (error) {
    failure = error as DriverFailure;
  }
  return { events, text: textOf(events), failure, ms: performance.now() - started };
}

const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const user = (text: string) => ({ request: { messages: [say('user', text)] } });

test('a question gets its answer, and the tokens that it cost', async () => {
  play(answers('Grüße \u{1F600}'));
  const { text, events } = await chat();
  expect(text).toBe('Grüße \u{1F600}');
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({
    ...{ inputTokens: 985, outputTokens: 12, cachedInputTokens: 900, cacheWriteInputTokens: 60 },
  });
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect(chats()[0]).toMatchObject({ headers: { 'x-api-key': 'key-of-the-test' }, body: { model: 'claude-opus-4-8' } });
});

test('a chat has no tools, and the system texts of the client alone', async () => {
  play(answers('Hi.'));
  await chat({}, { request: { maxTokens: 777, messages: [say('system', 'Be a parrot'), say('user', 'Hi')] } });
  const { body } = chats()[0]!;
  expect(body).toMatchObject({ tools: [], max_tokens: 777 });
  const system = body.system.map(({ text }: { text: string }) => text).join('\n');
  expect(system).toContain('Be a parrot');
  expect(system.length).toBeLessThan(1_000);
});

test.each(['@/etc/hostname', '/clear', '/help me', '-p --help', '!ls', '# x'])('%s is plain text', async (text) => {
  play(answers('Hi.'));
  expect((await chat({}, user(text))).text).toBe('Hi.');
  const sent = JSON.stringify(chats()[0]!.body.messages);
  expect(sent).toContain(JSON.stringify(text).slice(1, -1));
  expect(sent).not.toContain('Read tool');
});

test('a prompt of four mebibytes arrives whole', async () => {
  play(answers('Hi.'));
  const text = 'lorem ipsum '.repeat(350_000);
  expect((await chat({}, user(text))).text).toBe('Hi.');
  expect(chats()[0]!.text).toContain(text);
});

test('a token limit ends the answer where it is reached', async () => {
  play(answers('Half', [], 'max_tokens'));
  const { text, events } = await chat({}, { request: { maxTokens: 5 } });
  expect([text, events.at(-1)]).toEqual(['Half', { type: 'finish', reason: 'length' }]);
});

test('a token limit is for the answer, not for thoughts', async () => {
  play(answers('Hi.'));
  const { text } = await chat({}, { request: { model: 'claude-sonnet-4-5', maxTokens: 100 } });
  expect([text, chats()[0]!.body.max_tokens]).toEqual(['Hi.', 100]);
  expect(chats()[0]!.body.thinking ?? { type: 'disabled' }).toEqual({ type: 'disabled' });
});

test('when the client leaves, the run ends', async () => {
  play(answers('Hi.', [STALL]));
  const abort = new AbortController();
  const chatting = chat({}, { signal: abort.signal });
  await upstream.until(() => chats().length > 0);
  abort.abort(new Error('left'));
  expect((await chatting).failure?.code).toBe('canceled');
  await givenUp(upstream, chats()[0]!);
  await processesGone(open!.home.directory);
});

test('a process that is stopped leaves nothing of its tools, however they are started', async () => {
  play(runs('tail -f /dev/null & (setsid tail -f /dev/null &); tail -f /dev/null', 'Done.'));
  const abort = new AbortController();
  const project = new TempHome();
  const workspace = { directory: project.directory, skills: [], first: true };
  const chatting = chat({}, { ...user('Wait.'), workspace, signal: abort.signal });
  // The program, a shell, and three that wait. Newer programs refuse a command that sleeps.
  await upstream.until(() => chats().length > 0);
  await processesStarted(open!.home.directory, 5);
  abort.abort(new Error('stopped'));
  expect((await chatting).failure?.code).toBe('canceled');
  await processesGone(open!.home.directory);
  project.remove();
});

test('an agent has its instructions beside a system prompt of the user', async () => {
  play(answers('Hi.'));
  const request = { messages: [say('system', 'Be a parrot'), say('user', 'Hi')] };
  const workspace = { skills: [], first: true };
  const { text } = await chat({ extra_args: ['--append-system-prompt', 'Be brief'] }, { request, workspace });
  expect(text).toBe('Hi.');
  expect(chats()[0]!.text).toContain('Be a parrot');
  expect(chats()[0]!.text).toContain('Be brief');
});

test.each<[status: number, type: string, failure: object]>([
  [400, 'invalid_request_error', { code: 'rejected', status: 400 }],
  [403, 'permission_error', { code: 'auth', kind: 'auth', status: 403 }],
  [404, 'not_found_error', { code: 'rejected', kind: 'model_unavailable' }],
  [429, 'rate_limit_error', { code: 'rate_limited', kind: 'rate_limited' }],
  [500, 'api_error', { code: 'upstream', kind: 'upstream', status: 500 }],
  [529, 'overloaded_error', { code: 'upstream', kind: 'overloaded' }],
])('a backend that answers %i fails with its kind', async (status, type, failure) => {
  play(refuses(status, 'Words of the backend.', type));
  const chatted = await chat();
  expect(chatted.text).toBe('');
  expect(chatted.failure).toMatchObject(failure);
});

test('a wrong key is known at once, although the program would go on for minutes', async () => {
  environment.CLAUDE_CODE_MAX_RETRIES = '10';
  play(refuses(401, 'invalid x-api-key', 'authentication_error'));
  const { failure, ms } = await chat();
  expect(failure).toMatchObject({ code: 'auth', kind: 'auth', status: 401 });
  expect(ms).toBeLessThan(10_000);
});

test('a program that is not logged in says how to', async () => {
  const { failure } = await chat({ api_key_env: '' });
  expect(failure).toMatchObject({ code: 'auth', kind: 'login_required' });
  expect(failure?.hint).toContain('claude auth login');
  expect(chats()).toEqual([]);
});

test('a dead network is known at once', async () => {
  environment.ANTHROPIC_BASE_URL = `http://127.0.0.1:${await freePort()}`;
  environment.CLAUDE_CODE_MAX_RETRIES = '10';
  const { failure, ms } = await chat();
  expect(failure).toMatchObject({ code: 'unreachable', kind: 'unreachable' });
  expect(ms).toBeLessThan(10_000);
});

test('a stream that breaks off is no answer, and is not asked for again', async () => {
  play(answers('Half', [CUT]));
  const { failure, text, events } = await chat();
  expect([failure?.code, chats().length]).toEqual(['unreachable', 1]);
  // Newer programs may keep back what came just before.
  expect(['', 'Half']).toContain(text);
  expect(events.some(({ type }) => type === 'finish')).toBe(false);
});

test('arguments that this version refuses are named', async () => {
  expect((await chat({ extra_args: ['--json-schema', '{half'] })).failure).toMatchObject({
    ...{ code: 'rejected', kind: 'bad_option', message: expect.stringContaining('--json-schema') },
  });
});

test('a flag that this version does not know is named', async () => {
  expect((await chat({ extra_args: ['--no-such-flag'] })).failure).toMatchObject({ kind: 'bad_option' });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('root is told what the program refuses', async () => {
  delete environment.IS_SANDBOX;
  expect((await chat()).failure).toMatchObject({ code: 'rejected', kind: 'permission_blocked' });
});

test('an agent process works in its folder, and knows where it is', async () => {
  play(runs('pwd > where.txt', 'Done.'));
  const project = new TempHome();
  const workspace = { directory: project.directory, skills: [], first: true };
  const { text } = await chat({}, { ...user('Where are you?'), workspace });
  expect(text).toBe('Done.');
  expect(readFileSync(join(project.directory, 'where.txt'), 'utf8')).toBe(`${project.directory}\n`);
  expect(chats()[0]!.text).toContain(`Working directory: ${project.directory}\\n\\n# User request`);
  project.remove();
});

test('the gateway passes it all on', async () => {
  play(answers('Hello.'));
  const home = new TempHome();
  home.configure(
    `version: "1"\nproviders:\n  - { name: c, driver: claude-code, command: "${claude}", api_key_env: MY_KEY }\n`,
  );
  const gateway = await RunningGateway.start([], { env: home.environment(environment) });
  const response = await gateway.chat({ model: 'c:opus', stream: true, stream_options: { include_usage: true } });
  const body = await response.text();
  await gateway.stop();
  home.remove();
  expect(body).toContain('"content":"Hello."');
  expect(body).toContain('"prompt_tokens":985');
  expect(body.trimEnd().endsWith('data: [DONE]')).toBe(true);
});
