import { request } from 'node:http';
import { Server } from 'node:net';
import { type ToolCall, ToolServer } from '../../../plugins/gamma-cli/acp/tool-server';

const server = new ToolServer('drivebay');
const TOOLS = [{ name: 'look', inputSchema: { type: 'object', properties: {} } }];

interface Access {
  url: string;
  headers: { name: string; value: string }[];
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Asks as programs do. `fetch` would not let the headers through that a page sends. */
function ask({ url, headers }: Access, { method = 'POST', headers: more, body }: Asked = {}) {
  const own = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(url, { method, headers: { ...own, ...more } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

const rpc = (method: string, params: object = {}, id: number | undefined = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

test('a program finds the tools of its session, and gets the result when the client has it', async () => {
  const calls: ToolCall[] = [];
  const access = await server.open(TOOLS, (call) => calls.push(call));
  const to = access.server as unknown as Access;
  expect(access.server).toMatchObject({ type: 'http', name: 'drivebay' });
  const greeting = await ask(to, { body: rpc('initialize', { protocolVersion: '2025-06-18' }) });
  expect(JSON.parse(greeting.text)).toMatchObject({
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
  });
  expect((await ask(to, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status).toBe(202);
  expect((await ask(to, { method: 'GET' })).status).toBe(405);
  expect((await ask(to, { method: 'DELETE' })).status).toBe(200);
  expect(JSON.parse((await ask(to, { body: rpc('tools/list') })).text)).toMatchObject({ result: { tools: TOOLS } });
  expect(JSON.parse((await ask(to, { body: rpc('server/discover') })).text)).toMatchObject({ error: { code: -32601 } });
  const calling = ask(to, { body: rpc('tools/call', { name: 'look', arguments: { at: 'it' } }, 7) });
  while (calls.length === 0) await new Promise(setImmediate);
  expect(calls[0]).toMatchObject({ name: 'look', args: { at: 'it' } });
  calls[0]!.reply({ content: [{ type: 'text', text: 'sunny' }] });
  const { text } = await calling;
  expect(text).toMatch(/^: waiting\n\nevent: message\ndata: /);
  expect(JSON.parse(text.split('data: ')[1]!)).toEqual({
    ...{ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'sunny' }] } },
  });
  access.close();
});

test('a session is known by its secret, and a page in a browser reaches none', async () => {
  const one = await server.open(TOOLS, () => undefined);
  const other = await server.open([], () => undefined);
  const to = one.server as unknown as Access;
  const body = rpc('tools/list');
  expect((await ask(to, { headers: { authorization: 'Bearer wrong' }, body })).status).toBe(401);
  expect((await ask(to, { headers: { origin: 'http://127.0.0.1' }, body })).status).toBe(403);
  expect((await ask(to, { headers: { host: 'rebound.example' }, body })).status).toBe(403);
  expect(JSON.parse((await ask(other.server as unknown as Access, { body })).text)).toMatchObject({
    result: { tools: [] },
  });
  one.close();
  expect((await ask(to, { body })).status).toBe(401);
  other.close();
});

test('the server is there as long as a session, and a call that has no result ends with it', async () => {
  const calls: ToolCall[] = [];
  const access = await server.open(TOOLS, (call) => calls.push(call));
  const to = access.server as unknown as Access;
  const calling = ask(to, { body: rpc('tools/call', { name: 'look' }) }).catch((error: unknown) => error);
  while (calls.length === 0) await new Promise(setImmediate);
  access.close();
  expect(await calling).toHaveProperty('message');
  while (!((await ask(to).catch(() => undefined)) === undefined)) await new Promise(setImmediate);
  expect(() => calls[0]!.reply({ content: [] })).not.toThrow();
});

test('a session that gets no port is refused, and the next one gets its tools', async () => {
  jest.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
    setImmediate(() => this.emit('error', new Error('no port is left')));
    return this;
  });
  await expect(server.open(TOOLS, () => undefined)).rejects.toThrow('no port is left');
  // A rejection that nothing handles would fail the test in these turns.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const access = await server.open(TOOLS, () => undefined);
  expect((await ask(access.server as unknown as Access, { method: 'DELETE' })).status).toBe(200);
  access.close();
});
