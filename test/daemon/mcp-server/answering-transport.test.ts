import { script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { freePort } from '../../setup/running-gateway';

const KEY = 'mcp-key-123456';
const home = new AgentHome();
let cli: LiveCli;
let url: string;
let session: string;

beforeAll(async () => {
  const port = await freePort();
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--api-key-env', 'MCP_KEY', '--log-level', 'warn'];
  cli = new LiveCli(words, { env: home.environment({ MCP_KEY: KEY }) });
  await cli.until(/\/mcp\n/);
  url = `http://127.0.0.1:${port}/mcp`;
});
beforeEach(() => begin());
afterEach(async () => {
  expect(await answersTo(ping('last'))).toEqual([expect.objectContaining({ id: 'last', result: {} })]);
});
afterAll(async () => {
  await cli.signal('SIGTERM').end();
  expect(cli.stderr).not.toContain('warn');
});

const send = (method: string, body?: unknown) =>
  fetch(url, {
    method,
    headers: {
      ...(session && { 'mcp-session-id': session }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${KEY}`,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
async function begin() {
  session = '';
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const begun = await send('POST', { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  session = begun.headers.get('mcp-session-id')!;
  await begun.text();
}
const endless = (id: string) => {
  const params = { name: 'ask', arguments: { prompt: script([{ hang: true }]) } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
};
const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const cancel = (requestId: string) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const cancelled = (id: string) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code: -32_800, message: 'the client cancelled this request' },
});
const answersIn = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json!));
const answersTo = async (body: unknown) => answersIn(await (await send('POST', body)).text());

test('a request that a later one cancels is answered, and its body ends', async () => {
  const asked = await send('POST', endless('a'));
  expect((await send('POST', cancel('a'))).status).toBe(202);
  expect(answersIn(await asked.text())).toEqual([cancelled('a')]);
});

test('of a batch with a cancelled request every request is answered once', async () => {
  const answers = await answersTo([endless('a'), cancel('a'), ping('b'), cancel('b')]);
  expect(answers).toHaveLength(2);
  expect(answers).toContainEqual(cancelled('a'));
});

test('the other requests of a batch go on', async () => {
  const asked = await send('POST', [endless('a'), endless('b')]);
  await send('POST', cancel('a'));
  await send('POST', cancel('b'));
  expect(answersIn(await asked.text())).toEqual([cancelled('a'), cancelled('b')]);
});

test('in a batch it does not matter where the cancel stands', async () => {
  expect(await answersTo([cancel('a'), endless('a'), cancel('none')])).toEqual([cancelled('a')]);
});

test('nothing is cancelled that has not begun, or was answered', async () => {
  await send('POST', cancel('a'));
  const answer = expect.objectContaining({ id: 'a', result: {} });
  expect(await answersTo(ping('a'))).toEqual([answer]);
  await send('POST', cancel('a'));
  expect(await answersTo(ping('a'))).toEqual([answer]);
});

test('the end of a session ends the bodies of its requests', async () => {
  const asked = await send('POST', endless('a'));
  expect((await send('DELETE')).status).toBe(200);
  expect(answersIn(await asked.text())).toEqual([]);
  await begin();
});
