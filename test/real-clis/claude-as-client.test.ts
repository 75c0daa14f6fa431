import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CUT, json, sse } from 'drivebay/testing';
import { callBlock, stream, thinkingBlock } from '../plugins/eta/wire';
import { delta } from '../setup/upstream';
import { BACKENDS, calls, ClaudeStage } from './claude-stage';

let stage: ClaudeStage;
beforeAll(async () => void (stage = await ClaudeStage.start()));
afterAll(() => stage.close());

/** Fields that mean something to one vendor only. */
const VENDORS_OWN = ['cache_control', 'context_management', 'user_id', 'x-anthropic-billing-header'];
/** The beginning of each signature of a call. */
const SIGNATURE = Buffer.from('signature').toString('base64').slice(0, 12);

describe.each(BACKENDS)('with a backend of the wire %s', (name) => {
  test('a question is one request, and its answer the last word', async () => {
    stage.script({ reasoning: 'It is a greeting.', pieces: ['Grüße ', '\u{1F600}'] });
    const { code, result } = await stage.ask('hi', { model: name });
    expect([code, result, stage.chats(name).length]).toEqual([0, 'Grüße \u{1F600}', 1]);
    const { text, body } = stage.chats(name)[0]!;
    expect(JSON.stringify(body)).toContain('hi');
    const found = VENDORS_OWN.filter((field) => text.includes(field));
    expect(found).toEqual(name === 'anthropic' ? VENDORS_OWN : []);
  });

  test('tools run, and their results come back, in one conversation', async () => {
    const cwd = stage.project();
    const file = join(cwd, 'a.txt');
    stage.script(
      {
        ...calls(['Bash', { command: 'echo one > one.txt' }], ['Bash', { command: 'echo oops; exit 3' }]),
        reasoning: 'Two at once.',
      },
      { ...calls(['Write', { file_path: file, content: 'first line\n' }]), pieces: ['Now a file.'] },
      calls(['Edit', { file_path: file, old_string: 'first', new_string: 'second' }]),
      { pieces: ['Done.'] },
    );
    const { code, result } = await stage.ask('work', { model: name, cwd });
    expect([code, result, stage.unplayed]).toEqual([0, 'Done.', 0]);
    expect(readFileSync(join(cwd, 'one.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(file, 'utf8')).toBe('second line\n');
    const chats = stage.chats(name);
    expect(chats).toHaveLength(4);
    expect(chats[1]!.text).toContain('Exit code 3');
    expect(chats[1]!.text.includes('is_error')).toBe(name === 'anthropic');
    expect(chats.at(-1)!.text).not.toContain('drivebay1');
    // This vendor signs calls.
    if (name === 'gemini') expect(chats.at(-1)!.text).toContain(SIGNATURE);
  });
});

test('the beginning of a conversation stays the same for prompt caches', async () => {
  stage.script(calls(['Bash', { command: 'true' }]), calls(['Bash', { command: 'true' }]), { pieces: ['Done.'] });
  await stage.ask('work', { model: 'chat' });
  const [first, second, third] = stage.chats('chat').map(({ body }) => body as { messages: unknown[]; tools: unknown });
  const begin = (chat: typeof first, length: number) => JSON.stringify(chat!.messages.slice(0, length));
  expect(begin(second, first!.messages.length)).toBe(begin(first, Infinity));
  expect(begin(third, second!.messages.length)).toBe(begin(second, Infinity));
  expect(JSON.stringify(third!.tools)).toBe(JSON.stringify(first!.tools));
});

test('arguments in pieces of one byte are the same call', async () => {
  const cwd = stage.project();
  const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
  const pieces = [...JSON.stringify({ command: 'echo "ü" > x.txt' })].map((piece) =>
    call(0, { function: { arguments: piece } }),
  );
  const start = call(0, { id: 'call_x', type: 'function', function: { name: 'Bash', arguments: '' } });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  stage.script(sse([start, ...pieces, end, 'data: [DONE]\n\n']), { pieces: ['Done.'] });
  expect((await stage.ask('work', { model: 'chat', cwd })).result).toBe('Done.');
  expect(readFileSync(join(cwd, 'x.txt'), 'utf8')).toBe('ü\n');
});

test('thinking goes back to its vendor with its signature', async () => {
  const blocks = [...thinkingBlock(0, 'c2lnbmVk', 'Well.'), ...callBlock(1, 'toolu_1', 'Bash', '{"command":"true"}')];
  stage.script(stream(blocks, 'tool_use'), { pieces: ['Done.'] });
  expect((await stage.ask('work', { model: 'anthropic' })).result).toBe('Done.');
  const { messages } = stage.chats('anthropic')[1]!.body as { messages: { role: string; content: unknown[] }[] };
  const said = messages.find(({ role }) => role === 'assistant')!;
  expect(said.content[0]).toMatchObject({ type: 'thinking', thinking: 'Well.', signature: 'c2lnbmVk' });
});

test('a session goes on with another backend, and back', async () => {
  const cwd = stage.project();
  const signed = { reasoning: 'A thought.', pieces: ['Noted.'] };
  stage.script(signed, signed, signed, signed);
  const { sessionId } = await stage.ask('remember the word fig', { model: 'chat', cwd });
  for (const model of ['anthropic', 'gemini', 'chat'] as const) {
    const { code, result } = await stage.ask('go on', { model, cwd, words: ['--resume', sessionId] });
    expect([model, code, result]).toEqual([model, 0, 'Noted.']);
    expect(stage.chats(model).at(-1)!.text).toContain('remember the word fig');
    expect(stage.chats(model).at(-1)!.text).not.toContain('drivebay1');
  }
});

test('a picture that it reads reaches the model', async () => {
  const cwd = stage.project();
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(join(cwd, 'dot.png'), Buffer.from(dot, 'base64'));
  stage.script(calls(['Read', { file_path: join(cwd, 'dot.png') }]), { pieces: ['A dot.'] });
  expect((await stage.ask('look', { model: 'chat', cwd })).result).toBe('A dot.');
  expect(stage.chats('chat')[1]!.text).toContain('data:image/png;base64,');
});

test('without settings of models it gets the default provider, with its own model', async () => {
  stage.script({ pieces: ['Hi.'] });
  expect((await stage.ask('hi', {})).result).toBe('Hi.');
  expect(stage.chats('chat')[0]!.body).toMatchObject({ model: 'chat-model' });
});

test.each(['/v1', '/anthropic'])('a base URL with %s at its end works', async (end) => {
  stage.script({ pieces: ['Hi.'] });
  const env = { ANTHROPIC_BASE_URL: stage.gateway.url + end };
  expect((await stage.ask('hi', { model: 'chat', env })).result).toBe('Hi.');
});

describe('a failure is told in its own words, and nothing runs twice', () => {
  const refuses = (status: number, message: string, headers?: Record<string, string>) =>
    json({ error: { message, code: status === 400 ? 'context_length_exceeded' : null } }, { status, headers });

  test('of a wrong key of the backend', async () => {
    stage.script(refuses(401, 'that key is not known'));
    const { code, output } = await stage.ask('hi', { model: 'chat' });
    expect([code, stage.chats('chat').length]).toEqual([1, 1]);
    expect(output).toContain('that key is not known');
    expect(output).not.toContain('/login');
  });

  test('of a server that is down for a moment: it asks again', async () => {
    stage.script(refuses(500, 'oops'), { pieces: ['Hi.'] });
    expect((await stage.ask('hi', { model: 'chat' })).result).toBe('Hi.');
    expect(stage.chats('chat')).toHaveLength(2);
  });

  test('of an agent program: it is started once', async () => {
    const { code, output } = await stage.ask('hi', { model: 'crashing' });
    expect([code, output]).toEqual([1, expect.stringContaining('the program crashed')]);
    expect(readFileSync(join(stage.home.directory, 'runs'), 'utf8')).toBe('x');
  });

  test('of a limit: it waits as long as it is told', async () => {
    stage.script(refuses(429, 'slow down', { 'retry-after': '1' }), { pieces: ['Hi.'] });
    expect((await stage.ask('hi', { model: 'chat' })).result).toBe('Hi.');
    expect(stage.chats('chat')).toHaveLength(2);
  });

  test('of a limit that lasts: it gives up', async () => {
    stage.script(refuses(429, 'come back tomorrow', { 'retry-after': '3600' }));
    const { code, output } = await stage.ask('hi', { model: 'chat' });
    expect([code, stage.chats('chat').length]).toEqual([1, 1]);
    expect(output).toContain('come back tomorrow');
  });

  test('of a prompt that is too long', async () => {
    stage.script(refuses(400, "This model's maximum context length is 8192 tokens. You requested 9001 tokens."));
    const { code, output } = await stage.ask('hi', { model: 'chat' });
    expect([code, stage.chats('chat').length]).toEqual([1, 1]);
    expect(output).toMatch(/too long/i);
  });

  test('in the middle of a text', async () => {
    stage.script(sse([delta('Half an ans'), CUT]));
    const { code, output } = await stage.ask('hi', { model: 'chat' });
    expect([code, stage.chats('chat').length]).toEqual([1, 1]);
    expect(output).toContain('provider');
  });

  test('in the middle of a call: the tool does not run', async () => {
    const cwd = stage.project();
    const call = {
      index: 0,
      id: 'call_x',
      type: 'function',
      function: { name: 'Bash', arguments: '{"command":"touch ran' },
    };
    stage.script(sse([delta('I will.'), delta({ tool_calls: [call] }), CUT]));
    const { code } = await stage.ask('hi', { model: 'chat', cwd });
    expect([code, stage.chats('chat').length]).toEqual([1, 1]);
    expect(() => readFileSync(join(cwd, 'ran'))).toThrow();
  });

  test('of a provider that cannot call tools', async () => {
    stage.script();
    const { code, output } = await stage.ask('hi', { model: 'talker' });
    expect(code).toBe(1);
    expect(output).toContain('cannot call tools');
    expect(output).toContain('talker');
  });
});
