import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { McpServer as SdkServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { makeLogger } from '../../../core/contract/make-logger';
import { hostileServer } from '../../setup/tool-servers';
import { until } from '../../setup/until';
import { openServer } from './open-server';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: Answer): Promise<{ url: string; heads: IncomingMessage['headers'][]; paths: string[] }> {
  const heads: IncomingMessage['headers'][] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    heads.push(request.headers);
    paths.push(`${request.method} ${request.url}`);
    void answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, heads, paths };
}

function makeTools(): SdkServer {
  const server = new SdkServer({ name: 'web', version: '2' });
  server.registerTool('hello', { description: 'greets' }, () => ({
    content: [{ type: 'text', text: 'hello from afar' }],
  }));
  return server;
}

const streamable =
  (sessionIdGenerator?: () => string): Answer =>
  async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator });
    await makeTools().connect(transport);
    await transport.handleRequest(request, response);
  };

test('streamable HTTP: its tools are called, with the headers of the entry', async () => {
  const { url, heads } = await serve(streamable());
  const { names, call } = openServer({ url, headers: { Authorization: 'Bearer abc' } });
  expect(await names()).toEqual(['hello']);
  expect(await call('hello')).toBe('hello from afar');
  expect(heads.every(({ authorization }) => authorization === 'Bearer abc')).toBe(true);
});

test('calls leave nothing on the signal of their agent, which lasts for all of them', async () => {
  const { url } = await serve(streamable());
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  for (const entry of [{ url }, hostileServer('plain')]) {
    const { seat } = openServer(entry);
    await seat.tools(signal);
    for (let count = 0; count < 15; count += 1) await seat.call('hello', {}, signal);
  }
  // A warning comes with the next turn.
  await new Promise(setImmediate);
  process.off('warning', note);
  expect([getEventListeners(signal, 'abort'), warnings]).toEqual([[], []]);
});

test('a server without sessions has one connection for all its users', async () => {
  const { url, paths } = await serve(streamable());
  const { server, names } = openServer({ url });
  await names();
  const asked = paths.length;
  const seat = server.join({ workingDirectory: '/', log: console });
  expect(await names(seat)).toEqual(['hello']);
  expect(paths).toHaveLength(asked);
});

const HELLO = { name: 'hello', inputSchema: { type: 'object' as const } };

test('a process that leaves while its server is asked leaves no closed connection to the next one', async () => {
  const answer: Answer = async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    const tools = makeTools();
    // The second one is left out, which is told.
    tools.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [HELLO, HELLO] }));
    await tools.connect(transport);
    await transport.handleRequest(request, response);
  };
  const { url } = await serve(answer);
  const { signal } = new AbortController();
  // However many steps of the program are between the list and the leave.
  for (let steps = 0; steps < 15; steps += 1) {
    const { server } = openServer({ url });
    let told = 0;
    const leaving = server.join({
      workingDirectory: '/',
      log: makeLogger(() => {
        told += 1;
        let wait = Promise.resolve();
        for (let step = 0; step < steps; step += 1) wait = wait.then(() => undefined);
        void wait.then(() => leaving.leave());
      }),
    });
    await leaving.tools(signal);
    const next = server.join({ workingDirectory: '/', log: makeLogger(() => undefined) });
    const tools = await next.tools(signal);
    expect([told > 0, tools.map(({ name }) => name)]).toEqual([true, ['hello']]);
  }
});

const olderForm = (): Answer => {
  const open = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://h');
    if (pathname === '/mcp' && request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      open.set(transport.sessionId, transport);
      await makeTools().connect(transport);
    } else if (pathname === '/messages') {
      await open.get(searchParams.get('sessionId')!)!.handlePostMessage(request, response);
    } else response.writeHead(405).end();
  };
};

test.each([{}, { type: 'sse' }])('the older SSE with %j', async (more) => {
  const { url } = await serve(olderForm());
  const { names, call } = openServer({ url, ...more });
  expect(await names()).toEqual(['hello']);
  expect(await call('hello')).toBe('hello from afar');
});

test('a cut stream of the older SSE ends a call at once, and the next call opens another one', async () => {
  const answer = olderForm();
  const streams: ServerResponse[] = [];
  let posts = 0;
  const { url } = await serve((request, response) => {
    if (request.method === 'GET') streams.push(response);
    // Two for the handshake, one for the list, and the call.
    else if ((posts += 1) === 4) return streams[0]!.destroy();
    return answer(request, response);
  });
  const { names, call } = openServer({ url, type: 'sse', timeout_sec: 50 });
  await names();
  expect(await call('hello')).toMatch(/^error: .*the connection was closed; the next call starts it again/);
  expect(await call('hello')).toBe('hello from afar');
});

/** A server that writes `null` in the place of nothing, and asks two things before it answers a call. */
const withNulls =
  (type: 'application/json' | 'text/event-stream', told: Record<string, unknown>[]): Answer =>
  async (request, response) => {
    const message = (request.method === 'POST' ? await json(request) : {}) as Record<string, unknown>;
    told.push(message);
    if (typeof message.id !== 'number') return void response.writeHead(message.method ? 202 : 405).end();
    const { id, method } = message;
    const { protocolVersion } = (message.params ?? {}) as Record<string, unknown>;
    const answers: Record<string, unknown> = {
      initialize: {
        ...{ protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: 'nulls', version: '1' },
      },
      'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'hello \u2028' }] },
    };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: answers[method as string], error: null });
    response.writeHead(200, { 'content-type': type });
    if (type === 'application/json') return void response.end(answer);
    if (method === 'tools/call') {
      response.write('event: message\nid: 7\ndata: {"jsonrpc":"2.0","id":"a","method":"ping","params":null}\n\n');
      response.write('data: {"jsonrpc":"2.0","id":"b","method":"ping","params":[]}\r\n\r\n');
    }
    response.write(`data:${answer.slice(0, 20)}`);
    response.end(`${answer.slice(20)}\n\n`);
  };

test.each(['application/json', 'text/event-stream'] as const)('null in the place of nothing, as %s', async (type) => {
  const told: Record<string, unknown>[] = [];
  const { url } = await serve(withNulls(type, told));
  const { names, call } = openServer({ url });
  expect(await names()).toEqual(['hello']);
  expect(await call('hello')).toBe('hello \u2028');
  if (type === 'application/json') return;
  const answerTo = (id: string) => told.find((message) => message.id === id);
  await until(() => answerTo('a') && answerTo('b'));
  expect(answerTo('a')).toMatchObject({ result: {} });
  expect(answerTo('b')).toMatchObject({
    error: { code: -32_600, message: 'this is not an MCP request: params: expected an object, or nothing' },
  });
});

/** A server with sessions, which answers a call as `call` does, and the question for its tools as `list`. */
const withSessions =
  (call: (response: ServerResponse, id: number, session: string) => unknown, list?: typeof call): Answer =>
  async (request, response) => {
    const message = (request.method === 'POST' ? await json(request) : {}) as Record<string, unknown>;
    if (message.method === 'notifications/cancelled') cancelled += 1;
    if (typeof message.id !== 'number') return void response.writeHead(message.method ? 202 : 405).end();
    const { id, method } = message;
    const { protocolVersion } = (message.params ?? {}) as Record<string, unknown>;
    const own = method === 'tools/call' ? call : method === 'tools/list' ? list : undefined;
    if (own) return void own(response, id, String(request.headers['mcp-session-id']));
    const [result, headers] =
      method === 'initialize'
        ? [
            { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
            { 'mcp-session-id': `s${(sessions += 1)}` },
          ]
        : [{ tools: [{ name: 'hello', inputSchema: { type: 'object' } }] }, {}];
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
let sessions = 0;
let cancelled = 0;

test('a server learns the end of its session, and no answered request is cancelled', async () => {
  const told: unknown[] = [];
  const answer = withSessions((response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
  });
  const { url } = await serve((request, response) => {
    const { method, headers } = request;
    if (method !== 'DELETE') return answer(request, response);
    told.push(headers['mcp-session-id']);
    return response.writeHead(200).end();
  });
  cancelled = 0;
  const { seat, names, call } = openServer({ url });
  await names();
  await call('hello');
  await seat.leave();
  expect([told, cancelled]).toEqual([[`s${sessions}`], 0]);
});

test('a server has two seconds to answer the end of its session', async () => {
  const answer = withSessions((response) => response.end());
  const { url } = await serve((request, response) =>
    request.method === 'DELETE' ? undefined : answer(request, response),
  );
  const { seat, names } = openServer({ url });
  await names();
  const startedAt = performance.now();
  await seat.leave();
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});

test('a server that forgets its session, however often, does not count as crashed', async () => {
  let calls = 0;
  const { url } = await serve(
    withSessions((response, id) => {
      if ((calls += 1) % 2 === 1) return void response.writeHead(404).end('no such session');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'again' }] } }));
    }),
  );
  const { names, call } = openServer({ url });
  for (let round = 0; round < 4; round += 1) {
    await names();
    expect(await call('hello')).toMatch(/the next call starts it again$/);
    expect(await call('hello')).toBe('again');
  }
});

test('a server that has forgotten its session, as after a new start, gets another one with the next call', async () => {
  const forgotten = new Set<string>();
  const { url } = await serve(
    withSessions((response, id, session) => {
      if (forgotten.size === 0) forgotten.add(session);
      if (forgotten.has(session)) return void response.writeHead(404).end('no such session');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'again' }] } }));
    }),
  );
  const { names, call } = openServer({ url });
  await names();
  expect(await call('hello')).toMatch(/^error: .*it does not know the session any more; the next call starts it again/);
  expect(await call('hello')).toBe('again');
});

test('a server that has forgotten its session when it is asked for its tools is no wrong address', async () => {
  const forget = (response: ServerResponse) => response.writeHead(404).end('no such session');
  const { url } = await serve(withSessions(forget, forget));
  await expect(openServer({ url }).names()).rejects.toThrow(/^it does not know the session any more$/);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ['ends', (response) => response.end()],
  ['is cut', (response) => response.destroy()],
])('an answer that %s before its result is a failure at once', async (_, end) => {
  const { url } = await serve(
    withSessions((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const told = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'I begin' } };
      response.write(`data: ${JSON.stringify(told)}\n\n`, () => setImmediate(end, response));
    }),
  );
  const { names, call, lines } = openServer({ url, timeout_sec: 50 });
  await names();
  expect(await call('hello')).toBe('error: the connection was closed before the answer');
  expect(lines).toContain('info I begin');
});

test('a redirect to another server is not followed: the headers stay', async () => {
  const other = await serve(streamable());
  const { url } = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
  await expect(openServer({ url, headers: { Authorization: 'Bearer abc' } }).names()).rejects.toMatchObject({
    message: `it redirects to ${other.url}`,
    hint: 'if you trust this address, make it the url in mcp.json',
  });
  expect(other.paths).toEqual([]);
});

test.each<[string, Answer, RegExp]>([
  ['refuses the key', (_, response) => response.writeHead(401).end('who are you'), /HTTP 401: .*who are you/],
  ['has no such page', (_, response) => response.writeHead(404).end('nothing here'), /HTTP 404: /],
  [
    'is a page for people',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    /^its answer is not an MCP message \(text\/html\)$/,
  ],
  [
    'speaks a newer version',
    (_, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          ...{ jsonrpc: '2.0', id: 0 },
          error: { code: -32022, message: 'Unsupported protocol version: 1', data: { supported: ['2026-07-28'] } },
        }),
      ),
    /^it speaks only MCP 2026-07-28, and Drivebay speaks MCP up to 2025-11-25$/,
  ],
  [
    'answers without end',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = () => {
        while (response.writable && response.write(`data: ${'x'.repeat(1e6)}`));
        if (response.writable) response.once('drain', write);
      };
      write();
    },
    /64 MiB/,
  ],
])('a server that %s is a failure in words', async (_, answer, message) => {
  const { url } = await serve(answer);
  await expect(openServer({ url }).names()).rejects.toThrow(message);
});

test('a refused connection is a failure in words', async () => {
  const { url } = await serve(() => undefined);
  servers.splice(0).forEach((server) => server.close());
  await expect(openServer({ url }).names()).rejects.toThrow(/127\.0\.0\.1.*(refused|ECONNREFUSED)/);
});
