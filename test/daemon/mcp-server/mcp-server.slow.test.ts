import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { isAlive } from '../../setup/daemon-home';
import { LiveCli } from '../../setup/live-cli';
import { until } from '../../setup/until';
import { type ClientOptions, McpClient, ServerProgram } from './mcp-stage';

const home = new AgentHome();
const clients: McpClient[] = [];
let main: McpClient;

const connect = async (options?: ClientOptions, program = new ServerProgram(home)) => {
  const client = await McpClient.connect(program, options);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  main = await connect();
});
afterAll(() => Promise.all(clients.map((client) => client.close())));

test('the tools are there with their schemas, and the server says who it is', async () => {
  const { tools } = await main.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask', 'compare', 'run_agent', 'processes', 'result', 'models']);
  for (const { inputSchema, outputSchema, description } of tools) {
    expect(inputSchema.type).toBe('object');
    expect(outputSchema?.type).toBe('object');
    expect(description).toBeTruthy();
  }
  const ask = tools[0]!.inputSchema.properties as Record<string, { description?: string }>;
  expect(ask.model?.description).toContain('PROVIDER:MODEL');
  expect(main.client.getServerVersion()?.name).toBe('drivebay');
  expect(main.client.getInstructions()).toContain('`ask`');
});

describe('ask', () => {
  test('the default provider answers, with what it used', async () => {
    const { text, facts, isError } = await main.call('ask', { prompt: script([say('one'), say(' two')]) });
    expect([text, isError]).toEqual(['one two', false]);
    expect(facts).toMatchObject({
      provider: 'main',
      model: 'm-1',
      answer: 'one two',
      inputTokens: 100,
      outputTokens: 10,
    });
  });

  test('a provider, a model of it, and a system prompt are named', async () => {
    const given = { model: 'other:o-9', system: 'Be brief.', prompt: script([{ tell: 'request' }]) };
    const { text, facts } = await main.call('ask', given);
    const told = JSON.parse(text) as { model: string; messages: { role: string; parts: { text: string }[] }[] };
    expect(told.model).toBe('o-9');
    expect(told.messages[0]).toMatchObject({ role: 'system', parts: [{ text: 'Be brief.' }] });
    expect(facts.provider).toBe('other');
  });

  test('the ledger books it for MCP clients', async () => {
    const { stdout } = await home.run('usage', '--json');
    expect(stdout).toContain('"main"');
    const [line] = readLedger(home.state).filter(({ source }) => source === 'mcp');
    expect(line).toMatchObject({ provider: expect.any(String) as string, ok: true });
  });

  test('a failure says why, what to do, and what was said until then', async () => {
    const prompt = script([say('half'), { fail: ['upstream', 'it broke', { hint: 'mend it' }] }]);
    const { text, isError } = await main.call('ask', { prompt });
    expect(isError).toBe(true);
    expect(text).toBe('provider "main" failed:\nit broke\nmend it\nIt said until then:\n\nhalf');
  });

  test.each([
    ['ask', { prompt: '' }, 'ask: prompt: found an empty text, expected a text that is not empty'],
    ['ask', {}, 'ask: prompt: found nothing, expected a text that is not empty'],
    ['compare', { prompt: 'x', models: ['main'] }, 'compare: models: found a list of 1, expected'],
    ['run_agent', { intent: 'x', wait: 'no' }, 'run_agent: wait: found the text "no", expected true or false'],
    ['asks', {}, 'there is no tool "asks"\ndid you mean ask?'],
  ])('a wrong call of %s is told in the result, in words of ours', async (name, given, words) => {
    const { text, isError } = await main.call(name, given);
    expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
    expect(text).not.toMatch(/MCP error|validation|Zod|Invalid/);
  });

  test('a client that cancels ends the call of the provider', async () => {
    const file = join(home.directory, 'cancelled.pid');
    const abort = new AbortController();
    const call = main.call('ask', { prompt: script([{ sleepOn: ['main', file] }]) }, { signal: abort.signal });
    const pid = await appears(file);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => !isAlive(pid));
  });

  test('an answer that is too long for a result is cut', async () => {
    const text = `${'long '.repeat(400_000)}end`;
    const { facts } = await main.call('ask', { prompt: script([say(text)]) });
    expect(facts.truncated).toBe(true);
    expect((facts.answer as string).length).toBeLessThan(1_100_000);
    expect(facts.answer).toContain(`of ${text.length} characters]`);
  });
});

describe('compare', () => {
  test('the answers stand side by side, and one failure is no failure of all', async () => {
    const prompt = script([{ failOn: ['other', 'upstream', 'it broke'] }, say('fine')]);
    const { text, facts, isError } = await main.call('compare', { models: ['main', 'other', 'plain'], prompt });
    expect(isError).toBe(false);
    expect(text).toBe('## main\n\nfine\n\n## other\n\nerror: it broke\n\n## plain\n\nfine');
    const answers = facts.answers as { asked: string; answer: string; error?: string }[];
    expect(answers.map(({ asked, answer, error }) => [asked, answer, error])).toEqual([
      ['main', 'fine', undefined],
      ['other', '', 'it broke'],
      ['plain', 'fine', undefined],
    ]);
  });

  test('all are asked at the same time', async () => {
    const { facts } = await main.call('compare', {
      models: ['main', 'main:m-2'],
      prompt: script([{ meet: 2 }, say('met')]),
    });
    expect((facts.answers as { answer: string }[]).map(({ answer }) => answer)).toEqual(['met', 'met']);
  });

  test('it fails where no model answered', async () => {
    const prompt = script([{ fail: ['upstream', 'it broke'] }]);
    expect((await main.call('compare', { models: ['main', 'other'], prompt })).isError).toBe(true);
  });
});

describe('run_agent', () => {
  test('it waits for the end, and its trace is a resource', async () => {
    const { text, facts } = await main.call('run_agent', { intent: script([say('done it')]), provider: 'other' });
    expect(text).toBe('done it');
    expect(facts).toMatchObject({ state: 'done', provider: 'other', answer: 'done it', steps: 1, inputTokens: 100 });
    const uri = `drivebay://process/${facts.pid as number}/trace`;
    const { resources } = await main.client.listResources();
    expect(resources.map((each) => each.uri)).toContain(uri);
    const { contents } = await main.client.readResource({ uri });
    const trace = JSON.parse((contents[0] as { text: string }).text) as { state: string; events: { type: string }[] };
    expect([trace.state, trace.events[0]?.type, trace.events.at(-1)?.type]).toEqual(['done', 'created', 'exit']);
  });

  test('detached it goes on, and `processes` and `result` tell of it', async () => {
    const file = join(home.directory, 'detached.pid');
    const intent = script([say('begun'), { sleepOn: ['main', file] }]);
    const { facts, text } = await main.call('run_agent', { intent, wait: false });
    const pid = facts.pid as number;
    expect(text).toContain(`drivebay kill ${pid}`);
    const program = await appears(file);
    const { facts: listed } = await main.call('processes');
    expect((listed.processes as { pid: number; state: string }[])[0]).toMatchObject({ pid, state: 'running' });
    expect((await main.call('result', { pid })).facts).toMatchObject({ pid, state: 'running', answer: 'begun' });
    const ended = main.call('result', { pid, wait: true });
    await home.run('kill', String(pid));
    expect(await ended).toMatchObject({ isError: true, facts: { state: 'killed' } });
    await until(() => !isAlive(program));
    const { facts: all } = await main.call('processes', { all: true });
    expect((all.processes as { pid: number }[])[0]?.pid).toBe(pid);
  });

  test('a cancel ends an agent that is waited for', async () => {
    const file = join(home.directory, 'waited.pid');
    const abort = new AbortController();
    const intent = script([{ sleepOn: ['main', file] }]);
    const call = main.call('run_agent', { intent }, { signal: abort.signal });
    const program = await appears(file);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => !isAlive(program));
  });

  test('a failure is told with the process', async () => {
    const { text, isError, facts } = await main.call('run_agent', {
      intent: script([{ fail: ['rejected', 'no way'] }]),
    });
    expect([isError, facts.state]).toEqual([true, 'failed']);
    expect(text).toContain('no way');
    const missing = await main.call('result', { pid: 9999 });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^there is no process 9999\n/) });
    for (const pid of ['', 'a'.repeat(100_000), '../daemon']) {
      const { text: refused } = await main.call('result', { pid });
      expect(refused).toBe('a process is named by its pid or its uuid\nthe tool `processes` lists them');
    }
  });

  test('it works below the roots of the client, and nowhere else', async () => {
    home.write('work/deep/a.txt', 'a');
    const client = await connect({ roots: [`${home.directory}/work`] });
    const intent = script([{ tell: 'workspace' }]);
    const { text } = await client.call('run_agent', { intent });
    expect((JSON.parse(text) as { workingDirectory: string }).workingDirectory).toBe(`${home.directory}/work`);
    const { text: deep } = await client.call('run_agent', { intent, folder: 'deep' });
    expect((JSON.parse(deep) as { workingDirectory: string }).workingDirectory).toBe(`${home.directory}/work/deep`);
    const { text: refused, isError } = await client.call('run_agent', { intent, folder: '/etc' });
    expect(isError).toBe(true);
    expect(refused).toContain('/etc is outside of the folders that agents may work in');
  });
});

describe('an agent that acts without asking', () => {
  const own = new AgentHome();
  const bold = script([say('acted')]);
  own.configure(`version: "1"\nproviders:\n  - { name: bold, driver: worker, default_model: b-1, may_do: all }\n`);
  const given = { intent: bold, provider: 'bold' };

  test('is not started for a client that cannot ask its user', async () => {
    const client = await connect({}, new ServerProgram(own));
    const { text, isError } = await client.call('run_agent', given);
    expect(isError).toBe(true);
    expect(text).toContain('can change files and run programs without asking');
    expect(text).toContain(`cd ${own.directory} && drivebay run`);
  });

  test('is started when the user says yes, who is asked once', async () => {
    const no = await connect({ allow: false }, new ServerProgram(own));
    expect((await no.call('run_agent', given)).text).toContain('the user did not allow it');
    const yes = await connect({ allow: true }, new ServerProgram(own));
    expect((await yes.call('run_agent', given)).text).toBe('acted');
    expect((await yes.call('run_agent', given)).text).toBe('acted');
    expect(yes.asked).toHaveLength(1);
  });
});

test('models tells providers and their models, and how to mend a wrong name', async () => {
  const { text, facts } = await main.call('models');
  expect(facts.default).toBe('main');
  const providers = facts.providers as { name: string; defaultModel?: string }[];
  expect(providers.map(({ name, defaultModel }) => [name, defaultModel])).toEqual([
    ['main', 'm-1'],
    ['other', 'o-1'],
    ['plain', 'p-1'],
    ['cli', 'c-1'],
  ]);
  expect(text).toMatch(/^main \(default\): /);
  const { text: wrong, isError } = await main.call('models', { provider: 'mian' });
  expect([wrong, isError]).toEqual([
    'there is no provider "mian"\ndid you mean main? (providers: main, other, plain, cli)',
    true,
  ]);
});

test('an argument that a tool does not have is a mistake, and no question', async () => {
  const { text, isError } = await main.call('ask', { prompt: 'hi', provider: 'other' });
  expect([text, isError]).toEqual([
    'ask: the arguments: found the key "provider", expected no such key\nits arguments: model, prompt, system, files, images',
    true,
  ]);
});

test('where nothing can be listed, no word is said about what has run', async () => {
  const own = new AgentHome();
  own.write('.local/state/drivebay/processes/1.ndjson', 'rubbish\n');
  const client = await connect({}, new ServerProgram(own));
  expect((await client.call('processes', { all: true })).text).toBe('there is no process to list');
});

test('a tool that needs no arguments can be called without them', async () => {
  const result = await main.client.callTool({ name: 'models' });
  expect(result).toMatchObject({ structuredContent: { default: 'main' } });
  expect(result.isError ?? false).toBe(false);
});

test('the daemon may be stopped between two calls', async () => {
  const own = new AgentHome();
  const client = await connect({}, new ServerProgram(own));
  expect((await client.call('ask', { prompt: 'hi' })).text).toBe('Hello');
  await own.run('daemon', 'stop');
  expect((await client.call('ask', { prompt: 'hi' })).text).toBe('Hello');
});

test('mistakes of the configuration are told with the command that shows them', async () => {
  const own = new AgentHome();
  own.configure('version: "1"\nproviders:\n  - { name: a, driver: nothing }\n');
  const client = await connect({}, new ServerProgram(own));
  const { text, isError } = await client.call('ask', { prompt: 'hi' });
  expect(isError).toBe(true);
  expect(text).toContain('providers.yaml:3');
  expect(text).toContain('drivebay config check');
});

test('the plain command is the same server, and ends with its client', async () => {
  const program = new ServerProgram(home, ['mcp']);
  const client = await connect({}, program);
  const { pid } = program;
  expect((await client.call('ask', { prompt: 'hi' })).text).toBe('Hello');
  await client.close();
  await until(() => !isAlive(pid!));
});

test('a flag of a gateway without --http is a mistake', async () => {
  const { code, stderr } = await home.run('mcp', 'serve', '--port', '9000');
  expect([code, stderr]).toEqual([2, 'error: --port is about a gateway\n  add --http, or leave --port out\n']);
});

test('a line on stdin that is no message is told of and left out, without what stands in it', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  server.type('{sk-bad').type('{"a": "sk-other"}').type('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await server.until(/"id":1/);
  const { code, stdout, stderr } = await server.endInput().end();
  expect([code, JSON.parse(stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }]);
  const rest = 'so it was left out; a client of MCP sends one message on each line';
  expect(stderr.trimEnd().split('\n')).toEqual([
    `warning: a line on stdin is not JSON, ${rest}`,
    `warning: a line on stdin is not a message of JSON-RPC 2.0, ${rest}`,
  ]);
});

test('a request on stdin that is none is answered, so that no client waits for ever', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  const ping = { jsonrpc: '2.0', method: 'ping' };
  server.type(JSON.stringify({ ...ping, id: 1, params: [] }));
  server.type(JSON.stringify({ ...ping, id: 2, params: { _meta: 'x' } }));
  server.type(JSON.stringify({ ...ping, id: 3, params: null }));
  server.type(JSON.stringify({ ...ping, id: 4, more: true }));
  await server.until(/"id":4/);
  const { code, stdout, stderr } = await server.endInput().end();
  const answers = stdout.trimEnd().split('\n');
  expect([code, stderr, answers.map((line) => JSON.parse(line) as object)]).toEqual([
    0,
    '',
    [
      refused(1, 'params: expected an object, or nothing'),
      refused(2, 'params._meta: expected an object whose progressToken is a text or a whole number'),
      { jsonrpc: '2.0', id: 3, result: {} },
      { jsonrpc: '2.0', id: 4, result: {} },
    ],
  ]);
});

test('a client of the version of March 2025 may send several messages in one line', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  const ping = (id: number) => ({ jsonrpc: '2.0', method: 'ping', id });
  server.type(JSON.stringify([ping(1), { ...ping(2), params: [] }, ping(3)]));
  await server.until(/"id":3/);
  const { code, stdout } = await server.endInput().end();
  const answers = stdout.trimEnd().split('\n');
  expect([code, answers.map((line) => JSON.parse(line) as object)]).toEqual([
    0,
    [
      refused(2, 'params: expected an object, or nothing'),
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 3, result: {} },
    ],
  ]);
});

const refused = (id: number, fault: string) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code: -32_600, message: `this is not an MCP request: ${fault}` },
});

test('a client that asks faster than it reads gets all answers', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  const ask = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
  // The answers are far larger than what a pipe holds.
  server.type(Array.from({ length: 200 }, (_, id) => ask(id + 1)).join('\n'));
  await server.until(/"id":200\b/);
  const end = await server.endInput().end();
  expect([end.code, end.stderr, end.stdout.trimEnd().split('\n').length]).toEqual([0, '', 200]);
});

test('a client that has left without a word ends the server without one', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  server.type('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await server.until(/"id":1/);
  server.child.stdout!.destroy();
  server.type('{"jsonrpc":"2.0","id":2,"method":"ping"}');
  const { code, stderr } = await server.end();
  expect([code, stderr]).toEqual([0, '']);
});

test('a resource that is not there is told of with those that are', async () => {
  const read = (uri: string) => main.client.readResource({ uri });
  await expect(read('file:///etc/passwd')).rejects.toThrow(
    'there is no resource "file:///etc/passwd"\nresources: drivebay://process/{pid}/trace',
  );
  await expect(read('drivebay://process/9999/trace')).rejects.toThrow(/there is no process 9999\nthe tool `processes`/);
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

/** The pid that a program writes into a file. */
async function appears(file: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, 'utf8'));
      if (pid > 0) return pid;
    } catch {
      // Not yet.
    }
    await pause();
  }
}

function readLedger(state: string): { source: unknown }[] {
  const month = new Date().toISOString().slice(0, 7);
  const text = readFileSync(join(state, 'usage', `${month}.ndjson`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { source: unknown });
}

test('a client that reads no answers, and sends nothing any more, is given up', async () => {
  const server = new LiveCli(['mcp', 'serve'], { env: home.environment() });
  server.type('{"jsonrpc":"2.0","id":0,"method":"ping"}');
  await server.until(/"id":0/);
  server.child.stdout!.pause();
  const ask = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
  server.type(Array.from({ length: 400 }, (_, id) => ask(id + 1)).join('\n')).endInput();
  const [code] = (await once(server.child, 'exit')) as [number];
  expect(code).toBe(0);
  server.child.stdout!.destroy();
});
