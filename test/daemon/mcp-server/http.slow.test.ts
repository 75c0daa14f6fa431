import { symlinkSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { freePort } from '../../setup/running-gateway';
import { type ClientOptions, McpClient } from './mcp-stage';

const KEY = 'mcp-key-123456';
const home = new AgentHome();
const clients: McpClient[] = [];
let cli: LiveCli;
let url: URL;

const connect = async (options?: ClientOptions, headers: Record<string, string> = {}) => {
  const requestInit = { headers: { authorization: `Bearer ${KEY}`, ...headers } };
  const client = await McpClient.connect(new StreamableHTTPClientTransport(url, { requestInit }), options);
  clients.push(client);
  return client;
};
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${KEY}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

beforeAll(async () => {
  const port = await freePort();
  home.write('notes.txt', 'a note');
  home.write('work/.drivebay/providers.yaml', 'version: "1"\n');
  home.write('work/in.txt', 'inside');
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--api-key-env', 'MCP_KEY'];
  cli = new LiveCli(words, { env: home.environment({ MCP_KEY: KEY }), cwd: `${home.directory}/work` });
  await cli.until(/\/mcp\n/);
  url = new URL(`http://127.0.0.1:${port}/mcp`);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await cli.signal('SIGTERM').end();
});

test('a gateway serves MCP clients beside chats', async () => {
  const client = await connect();
  const { text, facts } = await client.call('ask', { prompt: script([say('by http')]) });
  expect([text, facts.provider]).toEqual(['by http', 'main']);
  const { facts: run } = await client.call('run_agent', { intent: script([{ tell: 'workspace' }]) });
  expect(JSON.parse(run.answer as string)).toMatchObject({ workingDirectory: `${home.directory}/work` });
  const chat = await fetch(new URL('/v1/chat/completions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(chat.status).toBe(200);
});

test('the agents of other folders are none of its business', async () => {
  home.write('elsewhere/notes.txt', 'x');
  const own = await home.runIn(`${home.directory}/work`, ['run', '--provider', 'main', script([say('own words')])]);
  const theirs = await home.runIn(`${home.directory}/elsewhere`, [
    'run',
    '--provider',
    'main',
    script([say('secret')]),
  ]);
  const pidOf = (stderr: string) => Number(/process (\d+):/.exec(stderr)![1]);
  const client = await connect();
  const { facts } = await client.call('processes', { all: true });
  const listed = (facts.processes as { pid: number }[]).map(({ pid }) => pid);
  expect(listed).toContain(pidOf(own.stderr));
  expect(listed).not.toContain(pidOf(theirs.stderr));
  expect((await client.call('result', { pid: pidOf(own.stderr) })).text).toContain('own words');
  const refused = await client.call('result', { pid: pidOf(theirs.stderr) });
  expect(refused.text).toContain(`there is no process ${pidOf(theirs.stderr)}`);
  expect(refused.text).not.toContain('secret');
  const missing = await client.call('result', { pid: 9999 });
  expect(missing.text).toBe(refused.text.replace(String(pidOf(theirs.stderr)), '9999'));
});

test('a link of the workspace leads an agent nowhere else', async () => {
  const work = `${home.directory}/work`;
  home.write('work/inner/notes.txt', 'x');
  home.write('outside/notes.txt', 'x');
  symlinkSync(`${home.directory}/outside`, `${work}/out`);
  symlinkSync(`${work}/inner`, `${work}/in`);
  const client = await connect();
  const intent = script([{ tell: 'workspace' }]);
  const { text: inside } = await client.call('run_agent', { intent, folder: 'in' });
  expect(JSON.parse(inside)).toMatchObject({ workingDirectory: `${work}/inner` });
  const told: string[] = [];
  for (const folder of ['out', 'out/.', 'none', 'a\0b']) {
    const { text, isError } = await client.call('run_agent', { intent, folder });
    told.push(isError ? text.split('\n')[0]! : 'it ran');
  }
  expect(told).toEqual([
    `out is outside of the folders that agents may work in: ${work}`,
    `out/. is outside of the folders that agents may work in: ${work}`,
    'there is no folder none',
    'no folder has a NUL byte in its path',
  ]);
});

test('clients of each version of the protocol of this and the last year are served', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const client = await connect({ version });
    const { text, facts } = await client.call('ask', { prompt: 'hi' });
    expect([version, text, facts.answer]).toEqual([version, 'Hello', 'Hello']);
  }
});

test('without its key, from a foreign page or without a session it refuses', async () => {
  const wrong = await post(INITIALIZE, { authorization: 'Bearer wrong' });
  expect(wrong.status).toBe(401);
  expect((await post(INITIALIZE, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400);
  expect((await post(INITIALIZE, { 'mcp-session-id': 'none' })).status).toBe(404);
  expect((await post(INITIALIZE, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('a session that its client has ended is gone', async () => {
  const started = await post(INITIALIZE);
  const session = { 'mcp-session-id': started.headers.get('mcp-session-id')! };
  await started.text();
  const ping = () => post({ jsonrpc: '2.0', id: 2, method: 'ping' }, session);
  expect((await ping()).status).toBe(200);
  await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}`, ...session } });
  expect((await ping()).status).toBe(404);
});

describe('what is wrong with a request is said with what to do, and no session ends', () => {
  const RAW = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
  let session: Record<string, string>;
  beforeAll(async () => {
    const started = await post(INITIALIZE);
    session = { 'mcp-session-id': started.headers.get('mcp-session-id')! };
    await started.text();
  });
  afterAll(async () => {
    expect((await post(ping, session)).status).toBe(200);
  });

  test.each([
    ['a list of parameters', { ...ping, params: [] }, 'params: expected an object, or nothing'],
    ['a number', 7, 'expected an object with "jsonrpc": "2.0"'],
    ['one of two', [ping, { jsonrpc: '2.0', id: {} }], 'message 2: id: expected a text or a whole number'],
    ['neither question nor answer', { jsonrpc: '2.0', id: 1 }, 'expected a method'],
    ['a second beginning', INITIALIZE, 'this session has begun already; begin a session: POST "initialize"'],
  ])('%s', async (_, body, words) => {
    const answer = await post(body, session);
    const { error } = (await answer.json()) as { error: { code: number; message: string } };
    expect([answer.status, error.code]).toEqual([400, -32_600]);
    expect(error.message).toContain(words);
  });

  test.each([
    ['PUT', {}, 405, 'Method not allowed'],
    ['GET', { accept: 'text/html' }, 406, 'must accept text/event-stream'],
    ['POST', { accept: 'application/json' }, 406, 'must accept both application/json and text/event-stream'],
    ['DELETE', { 'mcp-session-id': 'none' }, 404, 'names no session; begin a session: POST "initialize" without'],
  ])('%s with %j', async (method, more, status, words) => {
    const body = method === 'POST' ? JSON.stringify(ping) : undefined;
    const answer = await fetch(url, { method, headers: { ...RAW, ...session, ...more }, body });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([status, expect.stringContaining(words)]);
  });

  test('null in the place of parameters is none', async () => {
    const answer = await post({ ...ping, params: null }, session);
    expect(await answer.text()).toContain('{"result":{},"jsonrpc":"2.0","id":"p"}');
  });
});

test('files are those of the project, whatever the client calls its roots', async () => {
  const client = await connect({ roots: ['/'] });
  expect((await client.call('ask', { prompt: 'hi', files: ['in.txt'] })).text).toBe('Hello');
  const { text } = await client.call('ask', { prompt: 'hi', files: [`${home.directory}/notes.txt`] });
  expect(text).toBe(
    `${home.directory}/notes.txt is outside of the folders that may be read: ${home.directory}/work\n` +
      'start the gateway with the folder: drivebay mcp serve --http --root FOLDER',
  );
});

test('an agent three deep is stopped, by the header that it sends', async () => {
  const client = await connect({}, { 'x-drivebay-depth': '3' });
  const { text, isError } = await client.call('ask', { prompt: 'hi' });
  expect(isError).toBe(true);
  expect(text).toContain('(depth 3): drivebay stops here');
  const chat = await fetch(new URL('/v1/chat/completions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, 'x-drivebay-depth': '3' },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect([chat.status, await chat.json()]).toMatchObject([400, { error: { code: 'too_deep' } }]);
});

test('a gateway without a key does not open', async () => {
  const { code, stderr } = await home.run('mcp', 'serve', '--http', '--port', String(await freePort()));
  expect(code).toBe(2);
  expect(stderr).toContain('MCP clients can run agents, so the gateway needs a key');
  expect(stderr).toContain('drivebay mcp serve --http --api-key-env NAME');
});

test('a gateway outside of projects works where its command was typed, and not where the daemon was first used', async () => {
  home.write('first/notes.txt', 'x');
  home.write('second/notes.txt', 'y');
  await home.runIn(`${home.directory}/first`, ['run', '--provider', 'main', script([say('first')])]);
  const port = await freePort();
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--api-key-env', 'MCP_KEY'];
  const other = new LiveCli(words, { env: home.environment({ MCP_KEY: KEY }), cwd: `${home.directory}/second` });
  await other.until(/\/mcp\n/);
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  const there = new URL(`http://127.0.0.1:${port}/mcp`);
  const client = await McpClient.connect(new StreamableHTTPClientTransport(there, { requestInit }));
  clients.push(client);
  const { facts } = await client.call('run_agent', { intent: script([{ tell: 'workspace' }]) });
  expect(JSON.parse(facts.answer as string)).toMatchObject({ workingDirectory: `${home.directory}/second` });
  const { text } = await client.call('ask', { prompt: 'read it', files: [`${home.directory}/first/notes.txt`] });
  expect(text).toContain('second');
  await client.close();
  await other.signal('SIGTERM').end();
});
