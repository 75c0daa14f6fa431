import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeHttpServer, json, sse } from 'drivebay/testing';
import { DaemonHome } from '../setup/daemon-home';
import { LiveCli } from '../setup/live-cli';
import { delta, DONE, finish, posts, usageChunk } from '../setup/upstream';
import { answers, runs } from './claude-answers';
import * as codexWire from './codex-answers';
import * as geminiWire from './gemini-answers';
import { installedCli } from './installed-cli';

let upstream: FakeHttpServer;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
});
afterEach(() => upstream.close());

const providers = (more = '') => `version: "1"
default_provider: agent
providers:
  - { name: agent, driver: claude-code, command: ${installedCli('claude')}, api_key_env: MY_KEY, default_model: claude-opus-4-8${more} }
`;

const variables = () => ({
  ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
  ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
});

function home(): DaemonHome {
  const made = new DaemonHome(variables());
  made.configure(providers());
  upstream.answer((request) => {
    if (request.method !== 'POST' || !request.path.startsWith('/v1/messages')) return json({});
    const told = JSON.stringify(request.body.messages);
    return told.includes('Look') && !told.includes('did you')
      ? runs('echo seen-by-the-tool', 'Seen.')(request)
      : answers('Yes.');
  });
  return made;
}

interface Block {
  type: string;
  text?: string;
  name?: string;
  content?: unknown;
}

/** The turns that the last request of the program tells, without what it adds itself. */
function turns(): string[] {
  const { body } = posts(upstream).findLast(({ path }) => path.startsWith('/v1/messages'))!;
  const said = body.messages.filter(({ role }: { role: string }) => role !== 'system');
  return said.flatMap(({ role, content }: { role: string; content: string | Block[] }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
      .filter(({ text = '' }) => !text.includes('<system-reminder>'))
      .map(
        ({ type, text, name, content: result }) =>
          `${role}: ${text?.trim() ?? name ?? `${type} ${JSON.stringify(result)}`}`,
      ),
  );
}

test('Claude Code goes on in its own session, and knows what its tools did, also after a restart of the daemon', async () => {
  const agent = home();
  expect(await agent.run('Look around')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Seen.') as string,
  });
  await agent.run('daemon', 'restart');
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  expect(turns()).toEqual([
    'user: Look around',
    'assistant: Bash',
    expect.stringContaining('seen-by-the-tool'),
    'assistant: Seen.',
    'user: What did you see?',
  ]);
  expect((await agent.run('-c', '/clear')).code).toBe(0);
  expect(turns().slice(4)).toEqual(['user: What did you see?', 'assistant: Yes.', 'user: /clear']);
  // That process has gone on there already.
  expect((await agent.run('run', '--continue', '1', 'And else?')).code).toBe(0);
  expect(turns()[0]).toMatch(/Look around[^]*Seen\.[^]*And else\?/);
  expect((await agent.run('trace', '2')).stdout).toMatch(/alpha_cli\.session.*resumed.*true/);
});

test('a process that continues an agent finds its Claude Code still there, which knows what its tools did', async () => {
  const agent = home();
  const starts = join(agent.directory, 'starts');
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `echo started >> ${starts}` }] }] };
  agent.write('.claude/settings.json', JSON.stringify({ hooks }));
  await agent.run('Look around');
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  expect(turns()).toEqual([
    'user: Look around',
    'assistant: Bash',
    expect.stringContaining('seen-by-the-tool'),
    'assistant: Seen.',
    'user: What did you see?',
  ]);
  expect(readFileSync(starts, 'utf8')).toBe('started\n');
  agent.write('CLAUDE.md', 'Speak of the ghosts.');
  expect((await agent.run('-c', 'And did you hear?')).code).toBe(0);
  expect(posts(upstream).at(-1)!.text).toContain('Speak of the ghosts.');
  expect(readFileSync(starts, 'utf8')).toBe('started\nstarted\n');
});

test('a chat at a terminal goes on in the program that holds it', async () => {
  const agent = home();
  const cli = new LiveCli(['chat'], { env: agent.environment(variables()) });
  // The first answer starts the program that is ready for a later one, which then holds the conversation.
  let asked = 0;
  while (!warmthsIn(agent).includes('resumed')) {
    asked += 1;
    expect(asked).toBeLessThan(20);
    await cli.type(`question ${asked}`).until(new RegExp(`(?:tokens in[^]*){${asked}}`));
  }
  expect(turns()).toEqual(
    Array.from({ length: asked }, (_, index) => [`user: question ${index + 1}`, 'assistant: Yes.'])
      .flat()
      .slice(0, -1),
  );
  expect((await cli.endInput().end()).code).toBe(0);
});

/** How the driver came to its program, for each answer. */
function warmthsIn(agent: DaemonHome): string[] {
  const folder = join(agent.state, 'usage');
  const texts = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
  return [...texts.join('').matchAll(/"warm":"(\w+)"/g)].map(([, warm]) => warm!);
}

test('without sessions Claude Code leaves none, and gets the conversation as a text', async () => {
  const agent = home();
  agent.configure(providers(', keep_sessions: false'));
  await agent.run('One');
  expect((await agent.run('-c', 'Two')).stdout).toBe('Yes.\n');
  expect(turns()).toEqual([expect.stringMatching(/One[^]*Yes\.[^]*Two/)]);
});

test('Codex goes on in its own session, in the sandbox of now, and its tokens are counted once', async () => {
  const agent = new DaemonHome({ LOOPBACK_KEY: 'key-of-the-test' });
  const configure = (more: string) =>
    agent.configure(
      `version: "1"\ndefault_provider: agent\nproviders:\n  - { name: agent, driver: codex, command: ${installedCli('codex')}${more} }\n`,
    );
  agent.write('.codex/config.toml', codexWire.codexConfig(upstream.url));
  configure(', sandbox_mode: danger-full-access');
  upstream.answer((request) =>
    request.text.includes('did you')
      ? codexWire.answers('Yes.')
      : codexWire.runs('echo seen-by-the-tool', 'Seen.')(request),
  );
  expect((await agent.run('Look around')).stdout).toContain('Seen.');
  configure(', sandbox_mode: read-only');
  await agent.run('daemon', 'restart');
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  const { input } = posts(upstream).at(-1)!.body as {
    input: { type: string; role?: string; output?: string; content?: unknown }[];
  };
  const told = input.map(({ type, role, output, content }) => `${role ?? type} ${output ?? JSON.stringify(content)}`);
  const of = (text: string) => told.findIndex((each) => each.includes(text));
  expect(told[of('Look around')]).toMatch(/^user .*"Look around/);
  expect(told[of('What did you')]).toMatch(/^user .*"What did you see\?/);
  const order = ['Look around', 'seen-by-the-tool', '"Seen."', 'What did you'].map(of);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  const { stdout } = await agent.run('trace', '--json', '2');
  expect(JSON.parse(stdout)).toMatchObject({ usage: { inputTokens: 1000, outputTokens: 12 } });
  const sandboxes = (await sandboxesOf(agent)).map(({ type }) => type);
  expect(sandboxes).toEqual(['danger-full-access', 'read-only']);
});

/** A home whose agent is Gemini CLI or Qwen Code. */
function geminiLike(program: string, more = ''): DaemonHome {
  const urls = { GOOGLE_GEMINI_BASE_URL: upstream.url, OPENAI_BASE_URL: `${upstream.url}/v1` };
  const made = new DaemonHome({ ...urls, MY_KEY: 'key-of-the-test' });
  made.write('.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
  made.configure(
    `version: "1"\ndefault_provider: agent\nproviders:\n  - { name: agent, driver: gemini-cli, command: ${installedCli(program)}, api_key_env: MY_KEY, default_model: gemini-2.5-flash${more} }\n`,
  );
  return made;
}

test('Gemini CLI goes on in its own session, again and again, and each result of a tool is told once', async () => {
  const agent = geminiLike('gemini');
  upstream.answer((request) => {
    const { parts } = request.body.contents.at(-1) as { parts: { text?: string }[] };
    const isNext = parts.some(({ text = '' }) => /did you|And else/.test(text));
    return isNext ? geminiWire.answers('Yes.') : geminiWire.runs('echo seen-by-the-tool', 'Seen.')(request);
  });
  expect((await agent.run('/look around')).stdout).toContain('Seen.');
  await agent.run('daemon', 'restart');
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  expect(await agent.run('-c', 'And else?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  const { contents } = posts(upstream).at(-1)!.body as { contents: { role: string; parts: object[] }[] };
  const told = contents.map(({ role, parts }) => `${role} ${JSON.stringify(parts)}`);
  expect(told).toEqual([
    expect.stringContaining('/look around'),
    expect.stringMatching(/^model .*"functionCall"/),
    expect.stringMatching(/^user .*"functionResponse".*seen-by-the-tool/),
    'model [{"text":"Seen."}]',
    'user [{"text":"What did you see?"}]',
    'model [{"text":"Yes."}]',
    'user [{"text":"And else?"}]',
  ]);
  expect((await agent.run('trace', '3')).stdout).toMatch(/gamma_cli\.session.*resumed.*true/);
});

test('Qwen Code goes on in its own session, knows what its tools did, and the tokens of all that it asks are counted once', async () => {
  const agent = geminiLike('qwen');
  upstream.answer((request) => {
    const { messages = [] } = request.body as { messages?: { role: string; content: unknown }[] };
    const last = messages.at(-1);
    const isFirst = last?.role === 'user' && JSON.stringify(last.content).includes('look around');
    const call = { name: 'run_shell_command', arguments: '{"command":"echo seen-by-the-tool","is_background":false}' };
    const said = isFirst
      ? [delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }), finish('tool_calls')]
      : [delta(last?.role === 'tool' ? 'Seen.' : 'Yes.'), finish('stop')];
    return sse([...said, usageChunk(1000, 12), DONE]);
  });
  expect((await agent.run('/look around')).stdout).toContain('Seen.');
  await agent.run('daemon', 'restart');
  const before = posts(upstream).length;
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  const { messages } = posts(upstream)[before]!.body as { messages: object[] };
  const told = messages.slice(-5).map((message) => JSON.stringify(message));
  expect(told).toEqual([
    expect.stringContaining('/look around'),
    expect.stringContaining('"tool_calls"'),
    expect.stringMatching(/"tool".*seen-by-the-tool/),
    expect.stringContaining('Seen.'),
    expect.stringContaining('What did you see?'),
  ]);
  const { stdout } = await agent.run('trace', '--json', '2');
  // The program keeps memories of the conversation, for which it asks its model, too.
  const asked = posts(upstream).length - before;
  expect(asked).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ usage: { inputTokens: 1000 * asked, outputTokens: 12 * asked } });
});

test.each(['gemini', 'qwen'])(
  'without sessions %s leaves none, and gets the conversation as a text',
  async (program) => {
    const agent = geminiLike(program, ', keep_sessions: false');
    upstream.answer(({ path }) =>
      path.includes('chat/completions') ? sse([delta('Yes.'), finish('stop'), DONE]) : geminiWire.answers('Yes.'),
    );
    await agent.run('One');
    expect((await agent.run('-c', 'Two')).stdout).toBe('Yes.\n');
    expect(upstream.requests.some(({ text }) => /One[^]*Yes\.[^]*Two/.test(text))).toBe(true);
    await agent.run('daemon', 'stop');
    const names = await readdir(agent.directory, { recursive: true });
    expect(names.filter((name) => /chats\/.*\.jsonl$/.test(name))).toEqual([]);
  },
);

/** The sandbox of each turn of the one session that there is. */
async function sandboxesOf(home: DaemonHome): Promise<{ type: string }[]> {
  const folder = join(home.directory, '.codex/sessions');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  expect(names).toHaveLength(1);
  const lines = readFileSync(join(folder, names[0]!), 'utf8').trim().split('\n');
  const parsed = lines.map(
    (line) => JSON.parse(line) as { type: string; payload: { sandbox_policy: { type: string } } },
  );
  return parsed.filter(({ type }) => type === 'turn_context').map(({ payload }) => payload.sandbox_policy);
}
