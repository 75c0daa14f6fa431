import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, ChatEvent, ChatRequest, DriverFailure, Usage } from 'drivebay/plugin';
import { CUT, FakeHttpServer, type HttpAnswer, json, sse, STALL } from 'drivebay/testing';
import createDriver from '../../plugins/gamma-cli';
import type { Options } from '../../plugins/gamma-cli/environment';
import { textOf } from '../plugins/cli-harness';
import { DEFAULTS } from '../plugins/gamma-cli/harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { freePort } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { givenUp, posted, posts } from '../setup/upstream';
import { answers, piece, refuses, runs } from './gemini-answers';
import { installedCli } from './installed-cli';

let upstream: FakeHttpServer;
let open: OpenContext<Options> | undefined;
/** A folder that is not the program's home. */
let elsewhere: TempHome;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
  elsewhere = new TempHome();
});

afterEach(async () => {
  await open?.close();
  open = undefined;
  await upstream.close();
  elsewhere.remove();
});

interface Chat {
  options?: Partial<Options>;
  request?: Partial<ChatRequest>;
  call?: Partial<Call>;
  environment?: Record<string, string>;
  settings?: object;
}

const say = (text: string, role: 'user' | 'system' = 'user') => ({ role, parts: [{ type: 'text' as const, text }] });

async function chat(program: string, { options, request, call, environment, settings }: Chat): Promise<ChatEvent[]> {
  const all = { ...DEFAULTS, command: installedCli(program), api_key_env: 'MY_KEY', ...options };
  const base = {
    GOOGLE_GEMINI_BASE_URL: upstream.url,
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    MY_KEY: 'key-of-the-test',
  };
  open = new OpenContext<Options>('gamma-cli', all, { ...base, ...environment });
  if (settings) open.home.write('.gemini/settings.json', JSON.stringify(settings));
  const driver = createDriver(open.context);
  const events: ChatEvent[] = [];
  const limits = { ...newCall(), deadline: Date.now() + 50_000, ...call };
  for await (const event of driver.chat(chatRequest({ model: 'gemini-2.5-flash', ...request }), limits)) {
    events.push(event);
  }
  await driver.close();
  return events;
}

const fails = async (program: string, parts: Chat = {}): Promise<DriverFailure & { ms: number }> => {
  const started = performance.now();
  try {
    await chat(program, parts);
  } catch (error) {
    return Object.assign(error as DriverFailure, { ms: performance.now() - started });
  }
  throw new Error('it answered');
};

const usageOf = (events: ChatEvent[]) => events.find((event): event is Usage => event.type === 'usage');

describe('Gemini CLI', () => {
  test('a question gets its answer, and the tokens that it cost', async () => {
    upstream.answer(answers('Grüße \u{1F600}'));
    const events = await chat('gemini', {});
    expect(textOf(events)).toBe('Grüße \u{1F600}');
    expect(usageOf(events)).toMatchObject({ inputTokens: 1200, outputTokens: 10, cachedInputTokens: 1000 });
    expect(posts(upstream)[0]!.headers['x-goog-api-key']).toBe('key-of-the-test');
  });

  test('a chat has no tools, starts no server of tools, and the system texts of the client alone', async () => {
    upstream.answer(answers('Hi.'));
    const marker = join(elsewhere.directory, 'started');
    const settings = {
      security: { auth: { selectedType: 'oauth-personal' } },
      mcpServers: { spy: { command: 'touch', args: [marker] } },
    };
    await chat('gemini', { settings, request: { messages: [say('Be a parrot', 'system'), say('Hi')] } });
    const [{ body } = { body: undefined }] = posts(upstream);
    expect(JSON.stringify(body.tools ?? [])).not.toContain('name');
    expect(body.systemInstruction.parts.map(({ text }: { text: string }) => text).join('')).toBe('Be a parrot');
    expect(JSON.stringify(body).length).toBeLessThan(1_000);
    expect(existsSync(marker)).toBe(false);
    expect(readdirSync(await open!.context.scratch())).toEqual(['chat']);
  });

  test.each(['/memory show', '/quit', '@.gemini/settings.json', 'mail bob@example.com', '-p --help', '!ls'])(
    '%s is plain text',
    async (text) => {
      upstream.answer(answers('Hi.'));
      expect(textOf(await chat('gemini', { request: { messages: [say(text)] } }))).toBe('Hi.');
      expect(posts(upstream)[0]!.body.contents.at(-1).parts.at(-1).text.trim()).toBe(text);
    },
  );

  test('a prompt of 4 MB arrives whole', async () => {
    // It is printed first, and what follows would be lost if the program ended before that is through.
    upstream.answer(sse([500, ...answers('Hi.').pieces]));
    await chat('gemini', { request: { messages: [say('word '.repeat(800_000))] } });
    expect(posts(upstream)[0]!.body.contents.at(-1).parts.at(-1).text).toHaveLength(4_000_000);
  });

  test('a long answer arrives whole', async () => {
    const text = 'A line of the answer.\n'.repeat(1_000);
    const more = Array.from({ length: 20 }, () => [10, piece([{ text }])]).flat();
    upstream.answer(answers(text, more));
    expect(textOf(await chat('gemini', {}))).toBe(text.repeat(21));
  });

  // The program exits before its last write is through.
  test('an answer of megabytes arrives whole, or is an error', async () => {
    const text = 'A line of the answer.\n'.repeat(100_000);
    upstream.answer(answers(text));
    const outcome = await chat('gemini', {}).then(textOf, ({ kind }: DriverFailure) => kind);
    expect([text, 'truncated']).toContain(outcome);
  });

  test('when the caller leaves, the run ends', async () => {
    upstream.answer(answers('Hi.', [STALL]));
    const abort = new AbortController();
    const answer = chat('gemini', { call: { signal: abort.signal } }).catch((error: unknown) => error);
    const request = await posted(upstream);
    abort.abort();
    await givenUp(upstream, request);
    expect(await answer).toMatchObject({ code: 'canceled' });
  });

  test('an answer that broke off is an error, and is not asked for again', async () => {
    upstream.answer(answers('Half', [CUT]));
    expect(await fails('gemini')).toMatchObject({ code: 'upstream', kind: 'truncated' });
    expect(posts(upstream)).toHaveLength(1);
  });

  const KEY_INVALID = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];

  test.each([
    [
      refuses(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', KEY_INVALID),
      'login_required',
    ],
    [refuses(403, 'The caller does not have permission', 'PERMISSION_DENIED'), 'auth'],
    [refuses(404, 'models/x is not found for API version v1beta', 'NOT_FOUND'), 'model_unavailable'],
    [refuses(429, 'Resource has been exhausted (e.g. check quota).', 'RESOURCE_EXHAUSTED'), 'rate_limited'],
    [refuses(500, 'An internal error has occurred.', 'INTERNAL'), 'upstream'],
    [refuses(503, 'The model is overloaded.', 'UNAVAILABLE'), 'overloaded'],
  ])('a refusal is known at once, case %#', async (answer, kind) => {
    upstream.answer(answer);
    const error = await fails('gemini');
    expect([error.kind, posts(upstream).length]).toEqual([kind, 1]);
    expect(error.ms).toBeLessThan(20_000);
  });

  test('a dead network is known at once', async () => {
    const environment = { GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${await freePort()}` };
    const error = await fails('gemini', { environment });
    expect(error.code).toBe('unreachable');
    expect(error.ms).toBeLessThan(20_000);
  });

  test('a CLI that is not logged in says so, with what to do', async () => {
    const environment = { GOOGLE_GEMINI_BASE_URL: '' };
    const error = await fails('gemini', { options: { api_key_env: '' }, environment });
    expect(error).toMatchObject({ code: 'auth', kind: 'login_required', hint: expect.stringContaining('api_key_env') });
  });

  test('a flag that this version does not know is named', async () => {
    const error = await fails('gemini', { options: { extra_args: ['--nope'] } });
    expect(error).toMatchObject({ kind: 'bad_option', hint: 'remove --nope from extra_args' });
  });

  const user = { security: { auth: { selectedType: 'gemini-api-key' } } };

  test('an agent works in its folder, which nobody had to trust', async () => {
    upstream.answer(runs('pwd > where.txt', 'Done.'));
    const directory = join(elsewhere.directory, 'my project');
    mkdirSync(directory);
    const call = { workspace: { directory, skills: [], first: true } };
    expect(textOf(await chat('gemini', { call, settings: user }))).toBe('Done.');
    expect(readFileSync(join(directory, 'where.txt'), 'utf8')).toBe(`${directory}\n`);
  });

  test('an agent that has not begun is stopped at the first failed attempt', async () => {
    upstream.answer(refuses(503, 'The model is overloaded.', 'UNAVAILABLE'));
    const directory = join(elsewhere.directory, 'my project');
    mkdirSync(directory);
    const error = await fails('gemini', {
      call: { workspace: { directory, skills: [], first: true } },
      settings: user,
    });
    expect([error.kind, posts(upstream).length]).toEqual(['overloaded', 1]);
  });

  test('the single object of its json output is understood', async () => {
    upstream.answer(answers('Hi.'));
    const events = await chat('gemini', { options: { extra_args: ['-o', 'json'] } });
    expect([textOf(events), usageOf(events)?.outputTokens]).toEqual(['Hi.', 10]);
  });
});

describe('Qwen Code', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 3,
    total_tokens: 1203,
    prompt_tokens_details: { cached_tokens: 1000 },
  };
  const says = (text: string): HttpAnswer =>
    sse([chunk({ role: 'assistant', content: text }), { ...chunk({}, 'stop'), usage }, '[DONE]']);
  const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/chat/completions'));

  test('a question gets its answer, without tools and with the system texts of the client alone', async () => {
    upstream.answer(says('Grüße \u{1F600}'));
    const request = { messages: [say('Be a parrot', 'system'), say('/help')] };
    const events = await chat('qwen', { request });
    expect(textOf(events)).toBe('Grüße \u{1F600}');
    expect(usageOf(events)).toEqual({ type: 'usage', inputTokens: 1200, outputTokens: 3, cachedInputTokens: 1000 });
    const [{ body, headers } = { body: undefined, headers: {} }] = chats();
    expect(body.tools ?? []).toEqual([]);
    expect(JSON.stringify(body.messages[0])).toContain('Be a parrot');
    expect(headers).toMatchObject({ authorization: 'Bearer key-of-the-test' });
    expect(chats()).toHaveLength(1);
  });

  test.each([
    [401, 'Incorrect API key provided', 'login_required'],
    [404, 'The model `nope` does not exist', 'model_unavailable'],
  ])('a backend that answers %i fails, although the program calls it a success', async (status, message, kind) => {
    upstream.answer(json({ error: { message, type: 'some_error', code: null } }, { status }));
    expect(await fails('qwen')).toMatchObject({ kind, message: expect.stringContaining(message) });
  });
});
