import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson } from '../../fields';
import { messageOf } from '../../errors';
import { CUT, type HttpAnswer, json } from './http-answer';
import { playAnswer } from './play-answer';

/** A received request. */
export interface HttpRequestRecord {
  method: string;
  /** Path and query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The parsed JSON, or the text where it is no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- authors look into bodies of many shapes
  body: any;
  /** The unparsed body. */
  text: string;
}

/** An answer, or a function that returns it for a request. */
export type HttpAnswerer = HttpAnswer | ((request: HttpRequestRecord) => HttpAnswer);

/**
 * A real loopback HTTP server that plays the backend of an HTTP driver, with every fault of a network.
 *
 *     const server = await FakeHttpServer.start();
 *     server.answer(sse([{ text: 'Hel' }, { text: 'lo' }]));   // one answer per request, in order;
 *     server.answer(json({ text: 'Hi' }));                     // the last one serves all further requests
 *     server.answer((request) => (request.body.stream ? sse([...]) : json(...)));   // or decided per request
 */
export class FakeHttpServer {
  /** All requests so far. */
  readonly requests: HttpRequestRecord[] = [];
  /** The number of connections so far, closed ones included. */
  connections = 0;
  openConnections = 0;
  /** Answers that are not finished yet. */
  openStreams = 0;
  private readonly answers: HttpAnswerer[] = [];
  private readonly closedByClient = new Set<number>();
  private readonly events = new EventEmitter().setMaxListeners(0);

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections += 1;
      this.openConnections += 1;
      socket.on('close', () => {
        this.openConnections -= 1;
        this.events.emit('change');
      });
    });
    server.on('request', (request, response) => void this.serve(request, response));
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(): Promise<FakeHttpServer> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const fake = new FakeHttpServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Adds the answer to the next request that has none. */
  answer(...answers: HttpAnswerer[]): this {
    this.answers.push(...answers);
    return this;
  }

  /** Resolves with the n-th request, counted from 1, when its body has arrived. */
  async arrived(n = 1): Promise<HttpRequestRecord> {
    await this.until(() => this.requests.length >= n);
    return this.requests[n - 1] as HttpRequestRecord;
  }

  /** Resolves when the client has closed the connection of the n-th request before the end of its answer. */
  clientClosed(n = 1): Promise<void> {
    return this.until(() => this.closedByClient.has(n));
  }

  /** Resolves when the condition holds. Tests it at each event of the server. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.events, 'change');
  }

  /** Closes the idle connections, as a server with a short keep-alive does. */
  dropIdle(): void {
    this.server.closeIdleConnections();
  }

  /** Ends every connection and stops listening. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.until(() => this.openConnections === 0);
  }

  private decide(request: HttpRequestRecord): HttpAnswer {
    const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    if (!next) return explain(`the test has no answer for ${request.method} ${request.path}`);
    try {
      return typeof next === 'function' ? next(request) : next;
    } catch (error) {
      return explain(`the test's answer failed: ${messageOf(error)}`);
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request);
    const number = this.requests.push(recorded);
    this.openStreams += 1;
    let isCut = false;
    response.on('close', () => {
      this.openStreams -= 1;
      if (!response.writableFinished && !isCut) this.closedByClient.add(number);
      this.events.emit('change');
    });
    this.events.emit('change');
    const answer = this.decide(recorded);
    isCut = answer.pieces.includes(CUT);
    await playAnswer(answer, response);
  }
}

/** Reports a mistake in the test itself to the client. */
function explain(message: string): HttpAnswer {
  return json({ error: { message } }, { status: 599 });
}

async function record(request: IncomingMessage): Promise<HttpRequestRecord> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: parseJson(text, text),
    text,
  };
}
