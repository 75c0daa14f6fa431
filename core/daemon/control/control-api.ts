import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { messageOf } from '../../errors';
import { productName, productVersion } from '../../package';
import type { Daemon } from '../daemon';
import { RefusedError, toErrorAnswer } from './control-error';
import { LineStream } from './line-stream';
import type { Exchange, Route } from './route';
import { routes } from './routes';

const BASE = 'http://drivebay';
const BODY_LIMIT = 16 * 1024 * 1024;
/** How long the last lines of streams may take when the daemon ends. */
const LAST_WORDS_MS = 500;

/** Serves the control API (docs/control-api.md) to whoever may open the socket: the user, and nobody else. */
export class ControlApi {
  private readonly closing = new AbortController();
  private readonly open = new Set<Promise<void>>();

  constructor(private readonly daemon: Daemon) {}

  /** Answers every failure itself. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const done = this.answer(request, response);
    this.open.add(done);
    return done.finally(() => this.open.delete(done));
  }

  /** Ends the streams, and gives what is being written a moment. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.race([Promise.allSettled(this.open), pause(LAST_WORDS_MS)]);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('server', `${productName}/${productVersion}`);
    try {
      const { pathname, searchParams } = parseTarget(request.url ?? '/');
      const { route, id } = findRoute(request.method ?? '', pathname);
      const query = parse(route.query, Object.fromEntries(searchParams), 'query');
      const body = route.body ? parse(route.body, await readJson(request), 'body') : undefined;
      const answer = await route.handle(this.exchange(request, response, { id, query, body }));
      if (answer) await send(response, answer.status, answer.body);
    } catch (error) {
      await this.sendError(response, error);
    }
  }

  private async sendError(response: ServerResponse, error: unknown): Promise<void> {
    const { status, body } = toErrorAnswer(error);
    if (status === 500) this.daemon.parts.log.error(`a control request failed: ${messageOf(error)}`);
    body.error.message = this.daemon.parts.redactor.redact(body.error.message);
    // A stream that has begun can only break off.
    if (response.headersSent) response.destroy();
    else await send(response, status, body);
  }

  private exchange(
    request: IncomingMessage,
    response: ServerResponse,
    given: Pick<Exchange, 'id' | 'query' | 'body'>,
  ): Exchange {
    const left = new AbortController();
    response.once('close', () => left.abort());
    request.socket.setKeepAlive(false);
    return {
      ...given,
      daemon: this.daemon,
      gone: AbortSignal.any([left.signal, this.closing.signal]),
      isAbandoned: () => left.signal.aborted && !response.writableFinished,
      stream: (status = 200) => new LineStream(response, status),
    };
  }
}

function parseTarget(target: string): URL {
  if (!URL.canParse(target, BASE)) throw new RefusedError(400, 'invalid_request', `${target} is no URL`);
  return new URL(target, BASE);
}

function findRoute(method: string, path: string): { route: Route; id: string } {
  const allowed: string[] = [];
  for (const route of routes) {
    const id = matchPath(route.path, path);
    if (id === undefined) continue;
    if (route.method === method) return { route, id };
    allowed.push(route.method);
  }
  if (allowed.length > 0) {
    throw new RefusedError(405, 'method_not_allowed', `${method} ${path}: use ${allowed.join(' or ')}`);
  }
  throw new RefusedError(404, 'unknown_url', `there is no ${path}`, 'see docs/control-api.md');
}

/** What stands for `:id`, an empty text where the pattern has none; undefined: another path. */
function matchPath(pattern: string, path: string): string | undefined {
  const [before = '', after] = pattern.split(':id');
  if (after === undefined) return path === pattern ? '' : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  if (!/^[^/]+$/.test(id)) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    throw new RefusedError(400, 'invalid_request', `${path}: ${id} is not encoded as a part of a URL is`);
  }
}

function parse(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const issues = error.issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new RefusedError(400, 'invalid_request', issues.join('; '), 'see docs/control-api.md');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > BODY_LIMIT) throw new RefusedError(413, 'too_large', `the body is larger than ${BODY_LIMIT} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw new RefusedError(400, 'invalid_request', `the body is no JSON: ${messageOf(error)}`);
  }
}

function send(response: ServerResponse, status: number, body: unknown): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(`${JSON.stringify(body)}\n`);
  });
}
