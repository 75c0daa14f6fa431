import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CUT, json, sse, STALL } from 'drivebay/testing';
import { OVERFLOWS } from '../plugins/recorded-overflows';
import { delta, DONE, finish } from '../setup/upstream';
import { CodexStage } from './codex-stage';
import { CRASHING } from './crashing-plugin';
import { mcpServer } from './mcp-server';
import { signatureOf, type Turn } from './scripted-wires';

let stage: CodexStage;
beforeAll(async () => {
  stage = await CodexStage.start({ crashing: CRASHING });
});
afterAll(() => stage.end());

const command = (cmd: string) => ({ name: 'exec_command', args: { cmd } });
const DONE_TURN: Turn = { text: 'All done.' };
/** A 1x1 picture. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The events that the program prints with --json. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- events of many shapes
function printed(stdout: string): any[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);
}

const file = (name: string) => readFileSync(join(stage.home.directory, 'work', name), 'utf8');

test.each(['chat-compat', 'epsilon', 'native', 'zeta', 'eta'])(
  'two commands of one answer run, and go back as one turn, with what the vendor signed: %s',
  async (model) => {
    const calls = [command('echo first; exit 3'), command('echo second')];
    stage.plays({ thought: 'Thinking of it.', text: 'Let me look.', calls }, DONE_TURN);
    const { code, stdout } = await stage.exec(['--json', 'Look around'], { model });
    expect([code, stage.calls.length]).toEqual([0, 2]);
    const items = printed(stdout).map(({ item }) => item);
    expect(items).toContainEqual(expect.objectContaining({ type: 'agent_message', text: 'All done.' }));
    expect(items).toContainEqual(expect.objectContaining({ exit_code: 3, aggregated_output: 'first\n' }));
    const second = stage.calls[1]!;
    expect(second.text).toMatch(/first\\n[^]*second\\n/);
    expect(second.text).toContain('code 3');
    if (model === 'zeta' || model === 'eta') expect(second.text).toContain(signatureOf(1));
    expect(second.text).not.toContain('drivebay1');
    const turns = (second.body.messages ?? second.body.contents ?? []) as { role: string }[];
    const own = turns.filter(({ role }) => role === 'assistant' || role === 'model');
    if (turns.length > 0) expect(own).toHaveLength(1);
  },
);

test('the numbers of the backend are those that it prints', async () => {
  stage.plays(DONE_TURN);
  const { stdout } = await stage.exec(['--json', 'Hi']);
  expect(printed(stdout).at(-1)).toMatchObject({
    type: 'turn.completed',
    usage: { input_tokens: 1000, cached_input_tokens: 900, output_tokens: 12 },
  });
});

test('the beginning of a conversation stays the same from request to request', async () => {
  stage.plays({ calls: [command('true')] }, { calls: [command('true')] }, DONE_TURN);
  await stage.exec(['Hi']);
  const [one, two, three] = stage.calls.map(({ body }) => body.messages as unknown[]);
  expect(two!.slice(0, one!.length)).toEqual(one);
  expect(three!.slice(0, two!.length)).toEqual(two);
});

test('a file is made by a command, and changed by a patch', async () => {
  const patch = '*** Begin Patch\n*** Update File: poem.txt\n@@\n-roses\n+violets "and" more\n*** End Patch';
  stage.plays(
    { calls: [command("cat > poem.txt <<'END'\nroses\nEND")] },
    { calls: [command(`apply_patch <<'END'\n${patch}\nEND`)] },
    DONE_TURN,
  );
  expect((await stage.exec(['Write'])).code).toBe(0);
  expect(file('poem.txt')).toBe('violets "and" more\n');
});

test('with the name of a model that it knows, the patch is a custom tool, and arrives unwrapped', async () => {
  const patch = '*** Begin Patch\n*** Add File: added.txt\n+a "quoted" line\n+\\n is no line feed\n*** End Patch\n';
  stage.plays({ calls: [{ name: 'apply_patch', args: { input: patch } }] }, DONE_TURN);
  const { code } = await stage.exec(['Add it'], { model: 'chat-compat/gpt-5.5' });
  expect(code).toBe(0);
  expect(file('added.txt')).toBe('a "quoted" line\n\\n is no line feed\n');
  const { tools, model } = stage.calls[0]!.body as {
    model: string;
    tools: { function: { name: string; description: string } }[];
  };
  expect(model).toBe('gpt-5.5');
  expect(tools.find(({ function: { name } }) => name === 'apply_patch')!.function.description).toContain('begin_patch');
});

test('a tool of an MCP server runs', async () => {
  const script = stage.home.write('mcp.js', mcpServer('shout'));
  const server = `[mcp_servers.big]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(script)}]`;
  stage.plays({ calls: [{ name: 'mcp__big__shout', args: { text: 'hello' } }] }, DONE_TURN);
  const { code } = await stage.exec(['Shout'], { tables: [server] });
  expect([code, stage.calls.length]).toEqual([0, 2]);
  expect(stage.calls[1]!.text).toContain('HELLO from the server');
});

test('pictures arrive: one that the user gives, and one that the model looks at', async () => {
  const path = stage.home.write('work/photo.png', Buffer.from(PNG, 'base64'));
  stage.plays({ calls: [{ name: 'view_image', args: { path } }] }, DONE_TURN);
  expect((await stage.exec(['What is it?', '-i', path])).code).toBe(0);
  const pictures = (index: number) => stage.calls[index]!.text.split('data:image/png;base64').length - 1;
  expect([pictures(0), pictures(1)]).toEqual([1, 2]);
});

test('a conversation goes on with another provider', async () => {
  stage.plays({ thought: 'Secret.', calls: [command('echo kept')] }, DONE_TURN);
  const { stdout } = await stage.exec(['--json', 'Begin'], { model: 'eta' });
  const { thread_id: thread } = printed(stdout)[0] as { thread_id: string };
  stage.plays({ text: 'Going on.' });
  const { code } = await stage.exec(['resume', thread, 'Go on'], { model: 'zeta' });
  expect([code, stage.calls.length]).toEqual([0, 1]);
  expect(stage.calls[0]!.text).toMatch(/Begin[^]*kept[^]*All done\.[^]*Go on/);
  expect(stage.calls[0]!.text).not.toContain(signatureOf(1));
});

test('an answer in a form that was asked for', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  };
  const path = stage.home.write('schema.json', JSON.stringify(schema));
  stage.plays({ text: '{"n":4}' });
  const { stdout } = await stage.exec(['Two and two?', '--output-schema', path]);
  expect(stdout).toContain('{"n":4}');
  expect(stage.calls[0]!.body.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema } });
});

describe('compaction', () => {
  const config = ['model_context_window = 60000', 'model_auto_compact_token_limit = 900'];

  test.each(['Drivebay', 'OpenAI'])('is served to a provider with the display name %s', async (name) => {
    stage.plays({ calls: [command('echo kept')] }, { text: 'SUMMARY: they want it.' }, DONE_TURN);
    const { code, stdout } = await stage.exec(['--json', 'Build it'], { config, name });
    expect([code, printed(stdout).at(-1).type]).toEqual([0, 'turn.completed']);
    expect(stage.calls.at(-1)!.text).toContain('SUMMARY: they want it.');
  });
});

test('the catalog of models is taken, with its prompt, and without it there is one warning', async () => {
  stage.plays(DONE_TURN);
  // It asks for a catalog only with a key, whatever the key is.
  const provider = [`model_catalog_url = "${stage.gateway.url}/v1/models"`, 'experimental_bearer_token = "unused"'];
  const taken = await stage.exec(['--json', 'Hi'], { provider });
  expect([taken.code, taken.stdout]).toEqual([0, expect.not.stringContaining('metadata')]);
  expect(stage.calls[0]!.text).toContain('You are a coding agent in a user');
  const tools = stage.calls[0]!.body.tools as { function: { name: string } }[];
  expect(tools.map(({ function: { name } }) => name)).toContain('exec_command');
  const without = await stage.exec(['--json', 'Hi']);
  expect([without.code, without.stdout.split('metadata for').length]).toEqual([0, 2]);
});

test('a WebSocket that it asks for is refused, and it goes on at once', async () => {
  stage.plays(DONE_TURN);
  const { code } = await stage.exec(['Hi'], { provider: ['supports_websockets = true'] });
  expect([code, stage.calls.length]).toEqual([0, 1]);
});

test('Ctrl-C ends the request of the backend at once, and the conversation goes on', async () => {
  stage.plays(sse([delta('Thinking'), STALL]), { text: 'Here.' });
  const controller = new AbortController();
  const run = stage.exec(['Hi'], { interrupt: controller.signal });
  // A check of the gateway is a stream, too.
  await stage.until(({ openStreams }) => stage.calls.length === 1 && openStreams === 1);
  controller.abort();
  await Promise.all([run, stage.until(({ openStreams }) => openStreams === 0)]);
  const { code, stdout } = await stage.exec(['resume', '--last', 'again']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Here.')]);
  expect(stage.calls).toHaveLength(2);
  expect(stage.calls[1]!.text).toMatch(/Hi[^]*again/);
});

describe('a failure', () => {
  /** With the limits that the program has by itself. */
  test.each<[string, Parameters<CodexStage['plays']>, RegExp]>([
    ['of the token limit', [sse([delta('Half'), finish('length'), DONE])], /Half[^]*(incomplete|max_output_tokens)/i],
    ['of a filter', [sse([delta('I'), finish('content_filter'), DONE])], /content filter/],
    ['of an empty answer', [sse([finish(), DONE])], /empty answer/],
    ['of the key', [json({ error: { message: 'Incorrect API key' } }, { status: 401 })], /Incorrect API key/],
  ])('%s is told once', async (_name, answers, words) => {
    stage.plays(...answers);
    const { code, stdout } = await stage.exec(['--json', 'Hi']);
    expect(stdout).toMatch(words);
    expect([code, stage.calls.length]).toEqual([1, 1]);
  });

  test.each([
    ['chat-compat', 'Ollama'],
    ['epsilon', 'OpenAI'],
    ['native', 'OpenAI, Responses'],
    ['zeta', 'Gemini'],
    ['eta', 'Anthropic'],
  ])('of the window of %s, in the words of %s, is told once', async (model, backend) => {
    const { error } = OVERFLOWS.find((overflow) => overflow.backend === backend)!;
    stage.plays(json({ error }, { status: 400 }));
    const { code, stdout } = await stage.exec(['--json', 'Hi'], { model });
    expect([code, stage.calls.length, stdout]).toEqual([1, 1, expect.stringMatching(/context window/)]);
  });

  test('of an agent program is told once, and starts nothing again', async () => {
    const { code, stdout } = await stage.exec(['--json', 'Hi'], { model: 'crashing' });
    expect(stdout).toContain('the program crashed');
    expect([code, readFileSync(join(stage.home.directory, 'runs'), 'utf8')]).toEqual([1, 'x']);
  });

  test.each([
    ['a server that is down for a moment', json({ error: { message: 'oops' } }, { status: 500 })],
    [
      'a server that wants a wait',
      json({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '1' } }),
    ],
    ['an answer that breaks off in its text', sse([delta('Half a sen'), CUT])],
  ])('of %s is mended by asking again', async (_name, failing) => {
    stage.plays(failing, DONE_TURN);
    const { code, stdout } = await stage.exec(['Hi']);
    expect([code, stage.calls.length, stdout]).toEqual([0, 2, expect.stringContaining('All done.')]);
  });

  test('within the arguments of a command runs nothing', async () => {
    const args = JSON.stringify({ cmd: 'touch ran.txt' });
    const part = { index: 0, id: 'call_cut', type: 'function', function: { name: 'exec_command', arguments: args } };
    const broken = { ...part, function: { ...part.function, arguments: args.slice(0, -2) } };
    stage.plays(sse([delta({ tool_calls: [broken] }), CUT]), DONE_TURN);
    const { code } = await stage.exec(['Hi']);
    expect([code, stage.calls.length]).toEqual([0, 2]);
    expect(() => file('ran.txt')).toThrow(/ENOENT/);
  });
});
