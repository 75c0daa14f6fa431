import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMethod } from '../../_shared/cli/client-tools/answer-method';
import { type Fields, fieldsIn, fieldsOf, spelled } from '../../_shared/fields';

/** A connection without a sign of life is given up, and with it the call. */
const SIGN_OF_LIFE_MS = 15_000;
const LONGEST_BODY = 16 * 1024 * 1024;

/** A call that the program waits for. */
export interface ToolCall {
  name: string;
  args: Fields;
  /** Gives the result to the program, for its model. */
  reply(result: Fields): void;
}

/** The tools of one session. */
interface Served {
  tools: readonly Fields[];
  onCall: (call: ToolCall) => void;
  /** Called when the program has asked what tools there are. */
  onListed: () => void;
  /** Calls that have no result yet. */
  open: Set<ServerResponse>;
}

/** How a session reaches its tools, and how they end. */
export interface ToolAccess {
  /** For `mcpServers` of a session. */
  server: Fields;
  /** Resolves when the program knows the tools. */
  listed: Promise<void>;
  close(): void;
}

/**
 * The tools of clients, for the sessions of programs: a server of the Model Context Protocol on the loopback interface. Each
 * session has a secret of its own, which is also how its calls are known. The server is there as long as a session is.
 */
export class ToolServer {
  private readonly sessions = new Map<string, Served>();
  private server: Promise<Server> | undefined;

  constructor(private readonly name: string) {}

  async open(tools: readonly Fields[], onCall: (call: ToolCall) => void): Promise<ToolAccess> {
    const secret = randomBytes(32).toString('base64url');
    let onListed!: () => void;
    const listed = new Promise<void>((resolve) => (onListed = resolve));
    this.sessions.set(secret, { tools, onCall, onListed, open: new Set() });
    const close = (): void => this.end(secret);
    try {
      this.server ??= this.listen();
      const { port } = (await this.server).address() as AddressInfo;
      const headers = [{ name: 'Authorization', value: `Bearer ${secret}` }];
      const server = { type: 'http', name: this.name, url: `http://127.0.0.1:${port}/mcp`, headers };
      return { server, listed, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  private end(secret: string): void {
    for (const response of this.sessions.get(secret)?.open ?? []) response.destroy();
    if (!this.sessions.delete(secret) || this.sessions.size > 0) return;
    const { server } = this;
    this.server = undefined;
    server?.then(
      (listening) => {
        listening.close();
        listening.closeAllConnections();
      },
      // The session that asked for it has been refused with the reason.
      () => undefined,
    );
  }

  private async listen(): Promise<Server> {
    const server = createServer((request, response) => void this.serve(request, response));
    // A call takes as long as its client.
    server.requestTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return server;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const { method, headers, socket } = request;
    const say = (status: number, body?: Fields): void => {
      response.writeHead(status, body && { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    };
    // A page in a browser has an origin, and reaches the server by another name.
    if (headers.host !== `127.0.0.1:${socket.localPort}` || headers.origin !== undefined) return say(403);
    const served = this.sessions.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (!served) return say(401);
    if (method === 'DELETE') return say(200);
    if (method !== 'POST') return say(405);
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) return say(413);
    const message = fieldsIn(body);
    if (message.id === undefined) return say(202);
    if (message.method === 'tools/call') return hold(served, message, response);
    if (message.method === 'tools/list') response.on('finish', served.onListed);
    say(200, { jsonrpc: '2.0', id: message.id, ...answerMethod(message, this.name, served.tools) });
  }
}

/** Leaves the request open until the client has the result. */
function hold({ onCall, open }: Served, { id, params }: Fields, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': waiting\n\n');
  const timer = setInterval(() => response.write(': waiting\n\n'), SIGN_OF_LIFE_MS).unref();
  open.add(response);
  response.on('close', () => {
    clearInterval(timer);
    open.delete(response);
  });
  const { name, arguments: args } = fieldsOf(params);
  onCall({
    name: spelled(name),
    args: fieldsOf(args),
    reply(result) {
      const message = { jsonrpc: '2.0', id, result };
      response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LONGEST_BODY) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
