import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../errors';
import { CUT, type HttpAnswer, json } from './http-answer';
import { playAnswer } from './play-answer';

/** A request as it arrived. */
export interface HttpRequestRecord {
  method: string;
  /** Path and query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed where it is JSON, else the text. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- authors look into bodies of many shapes
  body: any;
  /** The body as it arrived. */
  text: string;
}

/** An answer, or what decides it when the request has arrived. */
export type HttpAnswerer = HttpAnswer | ((request: HttpRequestRecord) => HttpAnswer);

/**
 * A real loopback HTTP server that plays the backend of an HTTP driver, with every fault a network can have.
 *
 *     const server = await FakeHttpServer.start();
 *     server.answer(sse([{ text: 'Hel' }, { text: 'lo' }]));   // one answer per request, in order;
 *     server.answer(json({ text: 'Hi' }));                     // the last one serves all further requests
 *     server.answer((request) => (request.body.stream ? sse([...]) : json(...)));   // or decided per request
 */
export class FakeHttpServer {
  /** All so far. */
  readonly requests: HttpRequestRecord[] = [];
  /** How many were ever opened. */
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

  /** Resolves with the n-th request, counted from 1, as soon as it has arrived with its body. */
  async arrived(n = 1): Promise<HttpRequestRecord> {
    await this.until(() => this.requests.length >= n);
    return this.requests[n - 1] as HttpRequestRecord;
  }

  /** Resolves when the client has closed the connection of the n-th request before its answer was complete. */
  clientClosed(n = 1): Promise<void> {
    return this.until(() => this.closedByClient.has(n));
  }

  /** Resolves when the condition holds; looks again whenever something happens at the server. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.events, 'change');
  }

  /** Closes the idle connections without a word, as a server with a short keep-alive does. */
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

/** A mistake of the test itself: it shows in what the client gets. */
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
    body: parse(text),
    text,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
