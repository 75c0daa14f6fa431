/** The tools of Claude Code that ask the model again, or bring more than a text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sse } from 'drivebay/testing';
import { delta, DONE, finish } from '../setup/upstream';
import { BACKENDS, calls, ClaudeStage } from './claude-stage';
import { mcpServer } from './mcp-server';

let stage: ClaudeStage;
beforeAll(async () => void (stage = await ClaudeStage.start()));
afterAll(() => stage.close());

/** With the words of its server before it, as long as vendors allow. */
const TOOL = 'a_tool_whose_name_is_as_long_as_it_may_be_for_all';
const NAME = `mcp__a-server__${TOOL}`;

describe.each(BACKENDS)('with a backend of the wire %s', (name) => {
  test('a tool of an MCP server runs, with a name of 64 characters', async () => {
    const script = stage.home.write('mcp.js', mcpServer(TOOL));
    const servers = { mcpServers: { 'a-server': { command: process.execPath, args: [script] } } };
    const words = ['--strict-mcp-config', '--mcp-config', JSON.stringify(servers)];
    stage.script(calls([NAME, { text: 'hello' }]), { pieces: ['Done.'] });
    const { result } = await stage.ask('shout', { model: name, words });
    expect([result, NAME.length]).toEqual(['Done.', 64]);
    expect(stage.chats(name)[0]!.text).toContain(`"${NAME}"`);
    expect(stage.chats(name)[1]!.text).toContain('HELLO from the server');
  });

  test('a call without arguments runs', async () => {
    stage.script(calls(['TaskList', {}]), { pieces: ['None.'] });
    expect((await stage.ask('list', { model: name })).result).toBe('None.');
    expect(stage.chats(name)[1]!.text).toContain('No tasks found');
  });

  test('a document that it reads reaches the model', async () => {
    const cwd = stage.project();
    writeFileSync(join(cwd, 'page.pdf'), PDF);
    stage.script(calls(['Read', { file_path: join(cwd, 'page.pdf') }]), { pieces: ['A page.'] });
    expect((await stage.ask('look', { model: name, cwd })).result).toBe('A page.');
    const { text } = stage.chats(name)[1]!;
    expect(text).toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
    expect(text).toContain('application/pdf');
  });
});

/** Servers write no arguments in one way or another. */
test.each([[{}], [{ arguments: '' }], [{ arguments: null }]])('a call whose arguments are %j runs', async (written) => {
  const call = { index: 0, id: 'call_x', type: 'function', function: { name: 'TaskList', ...written } };
  stage.script(sse([delta({ tool_calls: [call] }), finish('tool_calls'), DONE]), { pieces: ['None.'] });
  expect((await stage.ask('list', { model: 'chat' })).result).toBe('None.');
  expect(stage.chats('chat')[1]!.text).toContain('No tasks found');
});

const FOREIGN = ['chat', 'gemini'] as const;

test.each(FOREIGN)('a subagent has a conversation of its own, with the model that was chosen: %s', async (name) => {
  const call = { description: 'Look', prompt: 'count the files HERE', subagent_type: 'Explore' };
  stage.script(calls(['Agent', call]), { pieces: ['Done.'] });
  stage.beside((text) => (isSubagent(text) ? { pieces: ['There are seven.'] } : undefined));
  const { code, result } = await stage.ask('send an agent OUT', { model: name });
  expect([code, result, stage.unplayed]).toEqual([0, 'Done.', 0]);
  const chats = stage.chats(name);
  expect(chats.filter(({ text }) => isSubagent(text))).toHaveLength(1);
  expect(chats.at(-1)!.text).toContain('There are seven.');
});

test.each(FOREIGN)('an answer in a form that was asked for: %s', async (name) => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  stage.script(calls(['StructuredOutput', { n: 4 }]), { pieces: ['Done.'] });
  const { output } = await stage.ask('Two and two?', {
    model: name,
    words: ['--json-schema', JSON.stringify(schema)],
  });
  expect(JSON.parse(output)).toMatchObject({ is_error: false, structured_output: { n: 4 } });
});

/** It does not see the conversation that it was sent from. */
const isSubagent = (text: string) => text.includes('count the files HERE') && !text.includes('send an agent OUT');

test('a search that the backend cannot make fails in words that the model sees', async () => {
  stage.script(calls(['WebSearch', { query: 'drivebay' }]), { pieces: ['No search here.'] });
  expect((await stage.ask('search', { model: 'chat' })).result).toBe('No search here.');
  expect(stage.chats('chat')).toHaveLength(2);
  expect(stage.chats('chat')[1]!.text).toContain('web_search');
});

test('a search that the backend can make is made there', async () => {
  stage.script(calls(['WebSearch', { query: 'drivebay' }]), { pieces: ['found it'] }, { pieces: ['Done.'] });
  expect((await stage.ask('search', { model: 'anthropic' })).result).toBe('Done.');
  const [, search, last] = stage.chats('anthropic');
  expect(search!.body).toMatchObject({ tools: [{ type: expect.stringMatching(/^web_search_/) as unknown }] });
  expect(last!.text).toContain('found it');
});

test('two conversations at once do not mix', async () => {
  const word = (text: string) => /the word (\w+)/.exec(text)![1]!;
  stage.script();
  stage.beside((text) => {
    if (text.includes(`echo ran-${word(text)}`)) return { pieces: [`It was ${word(text)}.`] };
    return { ...calls(['Bash', { command: `echo ran-${word(text)}` }]), reasoning: `About ${word(text)}.` };
  });
  const runs = await Promise.all([
    stage.ask('remember the word fig', { model: 'gemini' }),
    stage.ask('remember the word plum', { model: 'gemini' }),
  ]);
  expect(runs.map(({ result }) => result)).toEqual(['It was fig.', 'It was plum.']);
});

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
