import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { digestOf, makeKey } from '../config/client-keys';
import type { AgentToolServer, ContentPart, Tool } from '../contract/api';
import type { ToolOutcome } from '../devices/tool-server';
import { type Fields, isFields, parseJson } from '../fields';
import { productName, productVersion } from '../package';
import { HttpError } from '../serving/http-error';
import { readBody } from '../serving/read-body';
import { sendJson } from '../serving/send';

/** Some programs give a call up after five minutes without a sign of life. */
const SIGN_OF_LIFE_MS = 15_000;
const LONGEST_BODY = 16 * 1024 * 1024;
const METHOD_NOT_FOUND = -32_601;
const SESSION_HEADER = 'mcp-session-id';

/** What the server offers, and what runs a call of it. */
export interface Offered {
  tools: readonly Tool[];
  call(name: string, input: string, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Devices as tools for the program of an agent: a server of the Model Context Protocol on the loopback interface. */
export class DeviceServer {
  /** By session and id of the request. */
  private readonly calls = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  private readonly authorization = `Bearer ${makeKey()}`;
  private readonly digest = digestOf(this.authorization);
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, error instanceof HttpError ? error.status : 500, {});
    });
  });

  constructor(private readonly offered: Offered) {}

  /** How a program reaches it. */
  async open(): Promise<AgentToolServer['reach']> {
    // A call takes as long as its device.
    this.server.requestTimeout = 0;
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const { port } = this.server.address() as AddressInfo;
    const headers = { Authorization: this.authorization };
    return { kind: 'address', url: `http://127.0.0.1:${port}/mcp`, headers, type: 'http' };
  }

  /** Ends the calls that go on: their program has ended. Resolves when they have. */
  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    const calls = [...this.calls.values()];
    for (const { abort } of calls) abort.abort(new Error('the program has ended'));
    await Promise.all(calls.map(({ ended }) => ended));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const { method, headers, socket } = request;
    const say = (status: number): void => void response.writeHead(status).end();
    // A page in a browser has an origin, and reaches the server by another name.
    if (headers.host !== `127.0.0.1:${socket.localPort}` || headers.origin !== undefined) return say(403);
    if (!timingSafeEqual(digestOf(headers.authorization ?? ''), this.digest)) return say(401);
    if (method === 'DELETE') return say(200);
    if (method !== 'POST') return say(405);
    const message = parseJson((await readBody(request, LONGEST_BODY)).toString('utf8'));
    if (!isFields(message)) return say(400);
    const session = String(headers[SESSION_HEADER]);
    if (message.method === 'notifications/cancelled') {
      const { requestId } = fieldsOf(message.params);
      this.calls.get(keyOf(session, requestId))?.abort.abort(new Error('the program has cancelled the call'));
    }
    if (message.id === undefined) return say(202);
    if (message.method === 'tools/call') return this.run(message, session, response);
    if (message.method === 'initialize') response.setHeader(SESSION_HEADER, randomBytes(16).toString('hex'));
    sendJson(response, 200, { jsonrpc: '2.0', id: message.id, ...answerTo(message, this.offered.tools) });
  }

  private async run({ id, params }: Fields, session: string, response: ServerResponse): Promise<void> {
    const { name, arguments: input = {}, _meta } = fieldsOf(params);
    const abort = new AbortController();
    response.on('close', () => abort.abort(new Error('the program has left the call')));
    const outcome = this.offered.call(String(name), JSON.stringify(input), abort.signal);
    const ended = outcome.then(
      () => undefined,
      () => undefined,
    );
    this.calls.set(keyOf(session, id), { abort, ended });
    const endSigns = keepAlive(response, fieldsOf(_meta).progressToken);
    try {
      const { content, isError } = await outcome;
      send(response, { id, result: { content: content.map(toBlock), isError } });
      response.end();
    } finally {
      endSigns();
      this.calls.delete(keyOf(session, id));
    }
  }
}

const keyOf = (session: string, id: unknown) => `${session} ${JSON.stringify(id)}`;

function answerTo({ method, params }: Fields, tools: readonly Tool[]): Fields {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = fieldsOf(params);
      const serverInfo = { name: productName, version: productVersion };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools: tools.map(({ parameters: inputSchema, ...tool }) => ({ ...tool, inputSchema })) } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `no method ${JSON.stringify(method)}` } };
  }
}

/** Begins the answer to a call, and shows until the end of it that the call goes on. */
function keepAlive(response: ServerResponse, progressToken: unknown): () => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': waiting\n\n');
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    if (progressToken === undefined) response.write(': waiting\n\n');
    else send(response, { method: 'notifications/progress', params: { progressToken, progress } });
  }, SIGN_OF_LIFE_MS).unref();
  return () => clearInterval(timer);
}

function send(response: ServerResponse, message: Fields): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

function toBlock(part: ContentPart): Fields {
  return { type: 'text', text: part.type === 'text' ? part.text : `[${part.type}]` };
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
