import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HANG } from 'drivebay/testing';
import { tempFolder } from '../../setup/temp-folder';
import { until } from '../../setup/until';
import { user } from '../cli-harness';
import { recording } from '../recordings';
import { HELLO, start } from './harness';

let harness: Awaited<ReturnType<typeof start>>;
const usualHome = process.env.GEMINI_CLI_HOME;
afterEach(async () => {
  if (usualHome === undefined) delete process.env.GEMINI_CLI_HOME;
  else process.env.GEMINI_CLI_HOME = usualHome;
  await harness.close();
});

const system = (text: string) => ({ role: 'system' as const, parts: [{ type: 'text' as const, text }] });
const folder = () => realpathSync(mkdtempSync(join(tempFolder(), 'project ')));

test('a chat has no tools, a folder of its own, and the caller’s system prompt in place of the CLI’s', async () => {
  harness = await start();
  let prompt = '';
  harness.script(({ env }) => {
    prompt = readFileSync(env.GEMINI_SYSTEM_MD!, 'utf8');
    return HELLO;
  });
  await harness.chat({ model: 'gemini-x', messages: [system('Be brief.'), user('Hi')] });
  const { run } = harness;
  expect(run.argv).toEqual(['--output-format', 'stream-json', '-m', 'gemini-x', '--extensions', 'none']);
  expect([run.stdin, prompt]).toEqual(['Hi', 'Be brief.']);
  const scratch = await harness.open.context.scratch();
  expect(run.cwd).toBe(join(scratch, 'chat'));
  const settings = JSON.parse(readFileSync(join(run.cwd, '.gemini/settings.json'), 'utf8')) as object;
  expect(settings).toMatchObject({
    general: { maxAttempts: 1 },
    tools: { core: ['none'] },
    mcp: { allowed: ['none'] },
  });
  expect(settings).not.toHaveProperty('security');
  expect(run.env.TMPDIR!.startsWith(scratch)).toBe(true);
});

test('what was written for a chat is gone after it', async () => {
  harness = await start();
  await harness.chat({ messages: [system('secret'), user('Hi')] });
  await harness.driver.close();
  expect(readdirSync(await harness.open.context.scratch())).toEqual(['chat']);
});

test('an agent works in its folder, with tools and the CLI’s own system prompt', async () => {
  harness = await start();
  const directory = folder();
  const workspace = { directory: '/nowhere', workingDirectory: directory, skills: [], first: true };
  await harness.chat({ messages: [system('Be brief.'), user('Hi')] }, { workspace });
  const { run } = harness;
  expect(run.argv).toEqual(['--output-format', 'stream-json', '-m', 'm', '--approval-mode', 'yolo']);
  expect([run.cwd, run.env.GEMINI_SYSTEM_MD]).toEqual([directory, undefined]);
  expect(run.stdin).toContain('Be brief.');
  expect(existsSync(join(directory, '.gemini'))).toBe(false);
});

test('what the CLI writes to its home after its last word is kept, and nothing of that home is left', async () => {
  harness = await start();
  process.env.GEMINI_CLI_HOME = harness.open.home.directory;
  let hasAnswered = (): void => undefined;
  const answered = new Promise<void>((resolve) => (hasAnswered = resolve));
  const renew = (home: string) => {
    mkdirSync(join(home, '.gemini'), { recursive: true });
    writeFileSync(join(home, '.gemini/oauth_creds.json'), '{"refreshed":1}');
  };
  harness.script(({ env }) => [...HELLO, answered, () => renew(env.GEMINI_CLI_HOME!)]);
  const reach = { kind: 'address', url: 'http://127.0.0.1:9/', headers: {}, type: 'http' } as const;
  const toolServers = () => Promise.resolve([{ name: 'web', reach, timeoutMs: 1_000 }]);
  await harness.chat({}, { workspace: { directory: folder(), skills: [], first: true, toolServers } });
  hasAnswered();
  await harness.driver.close();
  const login = join(harness.open.home.directory, '.gemini/oauth_creds.json');
  expect(readFileSync(login, 'utf8')).toBe('{"refreshed":1}');
  expect(readdirSync(await harness.open.context.scratch())).toEqual([]);
});

test('a prompt that begins with a slash is no command', async () => {
  harness = await start();
  await harness.chat({ messages: [user('/quit')] });
  expect(harness.run.stdin).toBe(' /quit');
});

test('the environment lets the CLI run once, in any folder', async () => {
  harness = await start();
  await harness.chat();
  const { env } = harness.run;
  expect(env).toMatchObject({ GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' });
});

test('a key that the provider names pays, whatever login the CLI has', async () => {
  harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'the-key-of-mine' });
  await harness.chat();
  const { run } = harness;
  expect(readFileSync(join(run.cwd, '.gemini/settings.json'), 'utf8')).toContain('"selectedType": "gemini-api-key"');
});

test('Qwen Code gets its own flags and its own key', async () => {
  harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'the-key-of-mine' }, 'qwen');
  harness.script([{ type: 'result', subtype: 'success', is_error: false, result: 'Hi.' }]);
  expect(await harness.text()).toBe('Hi.');
  const { run } = harness;
  expect(run.argv.slice(0, 8)).toEqual([
    ...['--output-format', 'stream-json', '-m', 'm', '--include-partial-messages', '--auth-type', 'openai', '--bare'],
  ]);
  expect(run.argv.slice(-2)).toEqual(['--approval-mode', 'default']);
  expect(run.env).toMatchObject({ OPENAI_API_KEY: 'the-key-of-mine' });
  expect(run.env.GEMINI_API_KEY).toBeUndefined();
});

test.each([false, true])(
  'Qwen Code asks nothing beyond the chat, and may add to its settings; own tools: %s',
  async (hasTools) => {
    harness = await start({ gateway_tools: hasTools }, {}, 'qwen');
    let settings = '';
    harness.script(({ cwd }) => {
      settings = join(cwd, '.qwen/settings.json');
      return [{ type: 'result', subtype: 'success', is_error: false, result: 'Hi.' }];
    });
    await harness.chat();
    const read = () => JSON.parse(readFileSync(settings, 'utf8')) as object;
    const window = { model: { generationConfig: { contextWindowSize: 1e9 } } };
    // With tools of its own, what it has read and done may be more than the model takes.
    expect(read()).toEqual({ ui: { enableFollowupSuggestions: false }, ...(!hasTools && window) });
    writeFileSync(settings, JSON.stringify({ ...read(), $version: 4 }, null, 2));
    await harness.chat();
    expect(read()).toMatchObject({ $version: 4 });
  },
);

test('a program of another name is asked once what it knows', async () => {
  harness = await start({}, {}, 'my-wrapper');
  harness.script(({ argv }) => (argv.includes('--help') ? ['--include-partial-messages and --bare'] : HELLO));
  await Promise.all([harness.chat(), harness.chat()]);
  await harness.chat();
  expect(harness.cli.runs.filter(({ argv }) => argv.includes('--help'))).toHaveLength(1);
  expect(harness.cli.runs.at(-1)!.argv).toEqual([
    ...['--output-format', 'stream-json', '-m', 'm', '--include-partial-messages', '--bare'],
  ]);
});

test('a flag that the user gives is not given twice, and is warned about where it does harm', async () => {
  harness = await start({ extra_args: ['-o', 'json', '--extensions=mine'] });
  const { stdout } = recording('gemini', 'json-ok');
  harness.script([{ stdout }]);
  expect(await harness.text()).toBe('tok1 tok2 tok3 ');
  expect(harness.run.argv).toEqual(['-m', 'm', '-o', 'json', '--extensions=mine']);
  expect(harness.open.logged.map(({ message }) => message)).toEqual([expect.stringMatching(/^extra_args: -o takes/)]);
});

test('the tools that a chat of Qwen Code goes without stay away beside those of the user', async () => {
  harness = await start({ extra_args: ['--exclude-tools', 'web_fetch'] }, {}, 'qwen');
  harness.script([{ type: 'result', subtype: 'success', is_error: false, result: 'Hi.' }]);
  await harness.chat();
  const { argv } = harness.run;
  const given = argv.filter((_, index) => argv[index - 1] === '--exclude-tools');
  expect(given).toEqual([expect.stringContaining('run_shell_command'), 'web_fetch']);
});

test.each([
  ['json-http400', 144, 'auth', 'login_required'],
  ['json-http401', 145, 'auth', 'login_required'],
  ['json-http403', 147, 'auth', 'auth'],
  ['json-http404', 1, 'rejected', 'model_unavailable'],
  ['json-http429-maxAttempts1', 173, 'rate_limited', 'rate_limited'],
  ['json-noauth', 41, 'auth', 'login_required'],
  ['json-oauth-nologin', 41, 'auth', 'login_required'],
  ['stream-json-noauth', 41, 'auth', 'login_required'],
  ['untrusted-exit55', 55, 'rejected', 'untrusted_workspace'],
  ['bad-flag', 1, 'not_installed', 'bad_option'],
  ['stream-json-SIGTERM-norelaunch', 0, 'protocol', 'truncated'],
])('the recording %s is explained', async (name, exit, code, kind) => {
  harness = await start();
  const { stdout, stderr, exitCode } = recording('gemini', name);
  expect(exitCode).toBe(exit);
  harness.script([{ stderr }, { stdout }, { exit }]);
  const error = await harness.failure();
  expect([error.code, error.kind]).toEqual([code, kind]);
  expect(error.message).not.toMatch(/\{"error"|API Error|\bat async/);
});

test('the time limit of Qwen Code itself is explained', async () => {
  harness = await start({}, {}, 'qwen');
  const { stdout, stderr } = recording('qwen', 'v0.24-stream-json-http429-maxwall');
  harness.script([{ stderr }, { stdout }, { exit: 55 }]);
  expect(await harness.failure()).toMatchObject({ code: 'timeout', kind: 'timeout' });
});

test('a login that is missing names the command that helps, and a key the variable', async () => {
  harness = await start();
  harness.script([{ stderr: recording('gemini', 'stream-json-noauth').stderr }, { exit: 41 }]);
  expect((await harness.failure()).hint).toMatch(/^run '.*gemini' in a terminal and log in, or .* api_key_env$/);
});

test.each([
  ['Qwen OAuth free tier has been discontinued as of 2026-04-15.', 'auth', 'login_required'],
  ['Qwen OAuth quota exceeded: Your free daily quota has been reached.', 'rate_limited', 'usage_limit'],
  [
    '[API Error: 429 Too many]\nPossible quota limitations in place. Please wait and try again later.',
    'rate_limited',
    'rate_limited',
  ],
  ['[API Error: 402 Too many tokens for your credits]', 'auth', 'billing'],
])('%j is no answer of Qwen Code, although it says that it is', async (words, code, kind) => {
  harness = await start({}, {}, 'qwen');
  const whole = { type: 'assistant', message: { content: [{ type: 'text', text: words }] } };
  const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: words } };
  const result = { type: 'result', subtype: 'success', is_error: false, result: words };
  for (const steps of [[whole, result], [{ type: 'stream_event', event: delta }, whole, result], [result]]) {
    harness.script(steps);
    const error = await harness.failure();
    expect([error.code, error.kind]).toEqual([code, kind]);
    expect(error.message).toContain(words.startsWith('[') ? 'Too many' : words);
  }
});

test.each([
  [41, 'auth', 'login_required', 'in a terminal and log in'],
  [52, 'not_installed', 'program_config', 'settings.json'],
  [55, 'rejected', 'untrusted_workspace', 'trust it'],
])('the exit code %i says what its words do not', async (exit, code, kind, hint) => {
  harness = await start();
  harness.script([{ stderr: 'A sentence of a later version.\n' }, { exit }]);
  expect(await harness.failure()).toMatchObject({ code, kind, hint: expect.stringContaining(hint) });
});

test('the way to pay that the program has none for is a matter of its settings, also with a key', async () => {
  harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'key-of-the-test' });
  harness.script([{ stderr: 'Invalid auth method selected.\n' }, { exit: 41 }]);
  const hint = expect.stringMatching(/GOOGLE_GEMINI_BASE_URL.*selectedType.*settings\.json$/) as string;
  expect(await harness.failure()).toMatchObject({ kind: 'program_config', hint });
});

test('settings that cannot be read are named, with their place', async () => {
  harness = await start();
  const words = `Error in /home/me/.gemini/settings.json: Expected property name or '}' in JSON at position 2`;
  harness.script([{ stderr: `${words}\nPlease fix the configuration file(s) and try again.\n` }, { exit: 52 }]);
  expect(await harness.failure()).toMatchObject({
    kind: 'program_config',
    message: `gemini: ${words}`,
    hint: 'correct /home/me/.gemini/settings.json',
  });
});

test('words that are no answer are explained', async () => {
  harness = await start();
  harness.script(['Please set an Auth method in your settings', { exit: 1 }]);
  expect(await harness.failure()).toMatchObject({ code: 'auth', kind: 'login_required' });
});

test('an argument that the CLI does not know is the user’s where the user gave it', async () => {
  harness = await start({ extra_args: ['--nope'] });
  harness.script([{ stderr: recording('gemini', 'bad-flag').stderr }, { exit: 1 }]);
  expect(await harness.failure()).toMatchObject({ kind: 'bad_option', hint: 'remove --nope from extra_args' });
});

test.each([0, 1])('an object that the pipe cut is an error, with exit code %i', async (exit) => {
  harness = await start();
  const { stdout } = recording('gemini', 'json-ok');
  harness.script([{ stdout: stdout.slice(0, 500) }, { exit }]);
  expect(await harness.failure()).toMatchObject({ code: 'protocol', kind: 'truncated' });
});

test('a CLI that waits for its next attempt is stopped at the first sign, with its reason', async () => {
  harness = await start();
  const [first = ''] = recording('gemini', 'stream-json-http429').stderr.split('Attempt 2');
  harness.script([{ ignore: 'SIGTERM' }, { stderr: first }, HANG]);
  expect(await harness.failure()).toMatchObject({ code: 'rate_limited', kind: 'rate_limited', retryAfterS: 60 });
});

test('so is Qwen Code', async () => {
  harness = await start({}, {}, 'qwen');
  harness.script([{ stderr: recording('qwen', 'v0.24-stream-json-http429quota').stderr }, HANG]);
  expect(await harness.failure()).toMatchObject({ code: 'rate_limited', kind: 'usage_limit', status: 429 });
});

test('an agent that has begun its work may try again', async () => {
  harness = await start();
  const [first = ''] = recording('gemini', 'stream-json-http500').stderr.split('Attempt 2');
  const tool = { type: 'tool_use', tool_name: 'read_file', tool_id: 't', parameters: {} };
  // The two outputs of a program come in any order.
  const heard = (wanted: string) => until(() => harness.traced.some(({ event }) => event === wanted));
  harness.script([tool, () => heard('gamma_cli.item'), { stderr: first }, () => heard('gamma_cli.retry'), ...HELLO]);
  const workspace = { directory: folder(), skills: [], first: true };
  expect(await harness.text({}, { workspace })).toBe('Hello');
});
