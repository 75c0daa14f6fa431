import { Client } from 'undici';
import { LiveCli } from '../setup/live-cli';
import { freePort } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { casesOf, expectNoStack, MANY } from './hold';
import { clientFrames } from './mcp-frames';

const KEY = 'mcp-key-123456';
const HEADERS = {
  authorization: `Bearer ${KEY}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const home = tempHome();
let cli: LiveCli;
let client: Client;

beforeAll(async () => {
  const port = await freePort();
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--api-key-env', 'MCP_KEY', '--log-level', 'error'];
  cli = new LiveCli(words, { env: home.environment({ MCP_KEY: KEY }) });
  await cli.until(/\/mcp\n/);
  client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: 20_000, bodyTimeout: 20_000 });
});
afterAll(async () => {
  await client.destroy();
  await cli.signal('SIGTERM').end();
});

async function post(body: string, session?: string) {
  const headers = { ...HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) };
  const answer = await client.request({ method: 'POST', path: '/mcp', headers, body });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

test('whatever a client posts to /mcp, it is answered, and the session goes on', async () => {
  const begun = await post(JSON.stringify(INITIALIZE));
  const session = String(begun.headers['mcp-session-id']);
  // One after the other: answers to two questions with one id at the same time would be one.
  for (const body of casesOf(clientFrames, MANY)) {
    const { status, text } = await post(body, session).catch((error: unknown) => {
      throw new Error(`no answer to ${body}`, { cause: error });
    });
    expectNoStack(text);
    if (status >= 500) throw new Error(`${status} for ${body}: ${text}`);
  }
  const { status, text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }), session);
  expect([status, text]).toEqual([200, expect.stringContaining('"id":9')]);
  expect(cli.stderr).toBe('');
});
