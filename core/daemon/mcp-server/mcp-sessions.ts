import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../contract/api';
import { INVALID_REQUEST } from '../../devices/mcp/read-message';
import { isFields } from '../../fields';
import { senderOf } from '../../gateway/clients/gateway-client';
import { HttpError } from '../../serving/http-error';
import { readJson, requireJson } from '../../serving/read-body';
import { sendJson } from '../../serving/send';
import { DEPTH_HEADER, parseDepth } from '../../subprocess/depth';
import type { OpenedProject } from '../project/opened-project';
import { AnsweringTransport } from './answering-transport';
import { messagesIn } from './messages-in';
import { DaemonHost } from './daemon-host';
import { createMcpServer } from './mcp-server';

const SESSION_HEADER = 'mcp-session-id';
/** Pictures come in base64. */
const BODY_LIMIT = 32 * 1024 * 1024;
/** A client that is gone does not always say so. The longest unused session makes room. */
const MOST_SESSIONS = 64;
const REFUSED = -32_000;
const BEGIN =
  'begin a session: POST "initialize" without that header, and send the id of its answer with all that follows';

interface McpMountParts {
  opened: Pick<OpenedProject, 'ref' | 'project'>;
  /** The folders whose files clients may send; empty: that of the project. */
  roots: readonly string[];
  /** The control socket of this daemon. */
  socket: string;
  log: Logger;
}

interface Session {
  /** The client whose key began it; absent: the owner. No other key goes on with it. */
  client: string | undefined;
  transport: AnsweringTransport;
  /** The running requests and streams. */
  open: number;
  usedAt: number;
}

/** The MCP clients of a gateway, each with a server of its own. */
export class McpSessions {
  private readonly sessions = new Map<string, Session>();

  /** `closing`: the gateway ends. */
  constructor(
    private readonly parts: McpMountParts,
    closing: AbortSignal,
  ) {
    closing.addEventListener('abort', () => {
      for (const { transport } of this.sessions.values()) void transport.close();
    });
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const isPost = request.method === 'POST';
      if (isPost) requireJson(request);
      const body = isPost ? messagesIn(await readJson(request, BODY_LIMIT)) : undefined;
      const id = request.headers[SESSION_HEADER];
      const client = senderOf(request)?.name;
      const session = typeof id === 'string' ? this.sessions.get(id) : await this.start(request, body, client);
      if (session?.client !== client || !session)
        throw new HttpError(404, 'no_session', `the header ${SESSION_HEADER} names no session`, { hint: BEGIN });
      if (typeof id === 'string' && isInitialize(body))
        throw new HttpError(400, 'invalid_request', 'this session has begun already', { hint: BEGIN });
      this.hold(session, response);
      await session.transport.handleRequest(request, response, body);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const message = [error.message, error.hint].filter(Boolean).join('; ');
      const failure = { code: error.code === 'invalid_request' ? INVALID_REQUEST : REFUSED, message };
      sendJson(response, error.status, { jsonrpc: '2.0', error: failure, id: null }, error.headers);
    }
  }

  private async start({ headers }: IncomingMessage, body: unknown, client: string | undefined): Promise<Session> {
    if (!isInitialize(body))
      throw new HttpError(400, 'no_session', `the header ${SESSION_HEADER} is missing`, { hint: BEGIN });
    const transport = new AnsweringTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.sessions.set(id, session),
      onsessionclosed: (id) => void this.sessions.delete(id),
    });
    const session: Session = { client, transport, open: 0, usedAt: performance.now() };
    const { opened, roots, socket } = this.parts;
    const depth = parseDepth(headers[DEPTH_HEADER]);
    const server = createMcpServer(new DaemonHost(opened, { roots, socket, depth, client }));
    await server.connect(transport);
    server.server.onclose = () => void (transport.sessionId && this.sessions.delete(transport.sessionId));
    this.makeRoom(client);
    return session;
  }

  private hold(session: Session, response: ServerResponse): void {
    session.open += 1;
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = performance.now();
    });
  }

  /** No client takes the place of another one. */
  private makeRoom(client: string | undefined): void {
    const own = [...this.sessions.values()].filter((session) => session.client === client);
    if (own.length < MOST_SESSIONS) return;
    own.sort((a, b) => a.open - b.open || a.usedAt - b.usedAt);
    void own[0]?.transport.close();
  }
}

function isInitialize(body: unknown): boolean {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((message) => isFields(message) && message.method === 'initialize');
}
