/** What a user of Claude Code does beside asking. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, sse, STALL } from 'drivebay/testing';
import { refusedIn } from '../plugins/zeta/refused-keywords';
import type { LiveTerminal } from '../setup/live-terminal';
import { RunningGateway } from '../setup/running-gateway';
import { delta, DONE, finish } from '../setup/upstream';
import { calls, ClaudeStage } from './claude-stage';

let stage: ClaudeStage;
beforeAll(async () => void (stage = await ClaudeStage.start()));
afterAll(() => stage.close());

test.each(['chat', 'anthropic'] as const)('/context shows numbers, and asks no model: %s', async (model) => {
  stage.script();
  const { code, result } = await stage.ask('/context', { model });
  expect([code, stage.chats(model)]).toEqual([0, []]);
  expect(result).toMatch(/System tools[^\n]*\d/);
});

test.each(['chat', 'gemini', 'anthropic'] as const)(
  '/compact keeps a summary, and the session goes on: %s',
  async (model) => {
    const cwd = stage.project();
    const first = { ...calls(['Bash', { command: 'echo fig' }]), reasoning: 'A word.' };
    stage.script(
      first,
      { pieces: ['Noted.'] },
      { pieces: ['<summary>The word is FIG.</summary>'] },
      { pieces: ['It is fig.'] },
    );
    const { sessionId } = await stage.ask('remember what it says', { model, cwd });
    const words = ['--resume', sessionId];
    expect((await stage.ask('/compact', { model, cwd, words })).code).toBe(0);
    expect((await stage.ask('what was it?', { model, cwd, words })).result).toBe('It is fig.');
    expect(stage.unplayed).toBe(0);
    const [last, before] = stage.chats(model).reverse();
    expect(last!.text).toContain('The word is FIG.');
    expect(last!.text).not.toContain('remember what it says');
    expect(before!.text).toContain('remember what it says');
  },
);

test('Ctrl-C in the middle of an answer ends the request of the backend, and the session goes on', async () => {
  const cwd = stage.project();
  stage.script(sse([delta('Half an'), STALL]), { pieces: ['Here.'] });
  const controller = new AbortController();
  const run = stage.ask('tell me', { model: 'chat', cwd, interrupt: controller.signal });
  // A check of the gateway is a stream, too.
  await stage.until('chat', ({ openStreams }) => stage.chats('chat').length === 1 && openStreams === 1);
  controller.abort();
  await Promise.all([run, stage.until('chat', ({ openStreams }) => openStreams === 0)]);
  expect((await stage.ask('again', { model: 'chat', cwd, words: ['--continue'] })).result).toBe('Here.');
});

test('in a terminal a title is asked for beside the first turn, and Escape ends an answer', async () => {
  stage.script({ pieces: ['Good morning.'] }, sse([delta('Half an'), STALL]));
  stage.beside((text) => (text.includes('json_schema') ? { pieces: ['{"title":"Greeting"}'] } : undefined));
  const terminal = stage.terminal('hello there', 'chat');
  try {
    await terminal.until(/Good morning/);
    expect(stage.chats('chat').filter(({ text }) => text.includes('json_schema'))).toHaveLength(1);
    terminal.press('and now');
    await terminal.until(/and now/);
    terminal.press('\r');
    await stage.until('chat', ({ openStreams }) => openStreams === 1);
    await terminal.until(/esc to interrupt/);
    terminal.press('\x1b');
    await stage.until('chat', ({ openStreams }) => openStreams === 0);
  } finally {
    await leave(terminal);
  }
});

/** The vendor refuses a request for any keyword that it does not know. */
test('the tools that it has in a terminal, more than without one, have no keyword that Gemini refuses', async () => {
  stage.script({ pieces: ['Good morning.'] });
  stage.beside((text) => (declaredIn(text).length > 0 ? undefined : { pieces: ['{"title":"Greeting"}'] }));
  const terminal = stage.terminal('hello there', 'gemini');
  try {
    await terminal.until(/Good morning/);
    const declared = stage.chats('gemini').flatMap(({ text }) => declaredIn(text));
    const schemas = declared.flatMap(({ parametersJsonSchema: schema }) => schema ?? []);
    expect(schemas.flatMap(refusedIn)).toEqual([]);
    expect([declared.length >= 27, schemas.length >= 24]).toEqual([true, true]);
    const names = declared.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'TaskList']));
  } finally {
    await leave(terminal);
  }
});

interface Declared {
  name: string;
  parametersJsonSchema?: object;
}

/** The functions in a request to Gemini. */
function declaredIn(text: string): Declared[] {
  const { tools = [] } = JSON.parse(text) as { tools?: { functionDeclarations: Declared[] }[] };
  return tools.flatMap((tool) => tool.functionDeclarations);
}

async function leave(terminal: LiveTerminal): Promise<void> {
  terminal.press('\x03\x03');
  terminal.signal('SIGTERM');
  await terminal.end();
}

test('a file of 6 MB passes', async () => {
  const cwd = stage.project();
  const page = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(6e6, 'x'), Buffer.from('\n%%EOF\n')]);
  writeFileSync(join(cwd, 'long.pdf'), page);
  stage.script(calls(['Read', { file_path: join(cwd, 'long.pdf') }]), { pieces: ['Long.'] });
  const { result } = await stage.ask('look', { model: 'chat', cwd });
  expect(result).toBe('Long.');
  expect(stage.chats('chat')[1]!.text.length).toBeGreaterThan(6e6);
});

test('an answer that a filter ends is told once', async () => {
  stage.script(sse([delta('I'), finish('content_filter'), DONE]));
  const { code, output } = await stage.ask('tell me', { model: 'chat' });
  expect([code, stage.chats('chat').length]).toEqual([1, 1]);
  expect(output).toMatch(/polic/i);
});

test('a backend without pictures is told of in its words', async () => {
  const cwd = stage.project();
  writeFileSync(
    join(cwd, 'dot.png'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  );
  stage.script(
    calls(['Read', { file_path: join(cwd, 'dot.png') }]),
    json({ error: { message: 'this model takes no images' } }, { status: 400 }),
  );
  const { code, output } = await stage.ask('look', { model: 'chat', cwd });
  expect([code, output]).toEqual([1, expect.stringContaining('this model takes no images')]);
});

test('a key of the gateway is asked for in either header, and a wrong one is told once', async () => {
  const home = stage.home.directory;
  const env = stage.home.environment({ GATEWAY_KEY: 'the-right-key', XDG_STATE_HOME: `${home}/other` });
  const gateway = await RunningGateway.start(['--api-key-env', 'GATEWAY_KEY'], {
    env: { ...env, BACKEND_KEY: 'key-of-the-test' },
  });
  const askWith = (names: Record<string, string>) =>
    stage.ask('hi', { model: 'chat', env: { ANTHROPIC_BASE_URL: gateway.url, ANTHROPIC_AUTH_TOKEN: '', ...names } });
  stage.script({ pieces: ['In.'] }, { pieces: ['In.'] });
  const right = [
    await askWith({ ANTHROPIC_AUTH_TOKEN: 'the-right-key' }),
    await askWith({ ANTHROPIC_API_KEY: 'the-right-key' }),
  ];
  const wrong = await askWith({ ANTHROPIC_AUTH_TOKEN: 'another-key' });
  await gateway.stop();
  expect(right.map(({ result }) => result)).toEqual(['In.', 'In.']);
  expect([wrong.code, gateway.stderr.match(/path=\/v1\/messages[^\n]*status=401/g)?.length]).toEqual([1, 1]);
});
