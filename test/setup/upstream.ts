/**
 * A real loopback HTTP server that plays the backend of an HTTP driver, with every fault a network can have.
 *
 *   const upstream = await Upstream.start();
 *   upstream.answer(sse([delta('Hel'), delta('lo'), finish(), DONE]));   // one answer per request, in order;
 *   upstream.answer(json(completion('Hi')));                            // the last one serves all further requests
 *   upstream.answer((request) => (request.body.stream ? sse([...]) : json(...)));   // or decided per request
 *
 * The body of an answer is a list of pieces: an object is sent as one SSE event, a string or a Buffer as it is, a number
 * waits so many ms, a promise is waited for, a function is called when its turn comes (and its promise waited for), CUT
 * destroys the socket, STALL sends nothing more and keeps the socket open.
 * Without CUT or STALL the body ends cleanly. CUT or STALL as the only piece comes before the response head.
 *
 *   sse(pieces, { split: 3 })                    writes that are 3 bytes long, to split events and characters
 *   json(value, { status: 429, headers: { 'retry-after': '7' } })
 *   raw(['{"half": ', CUT], { headers: { 'content-length': '100' } })
 *   { ...json(value), headDelayMs: 50 }          slow headers
 *
 * What happened: `upstream.requests` (all so far), `await upstream.arrived(2)` (the second request, waits for it),
 * `await upstream.clientClosed(1)` (the client gave the first request up), `upstream.connections` (ever opened),
 * `upstream.openConnections`, `upstream.openStreams` (answers not finished yet). `await upstream.close()` ends it all.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

export const CUT = Object.freeze({ fault: 'cut' });
export const STALL = Object.freeze({ fault: 'stall' });
export const DONE = 'data: [DONE]\n\n';

export type Piece = object | string | Buffer | number | Promise<unknown> | (() => unknown);

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  headDelayMs?: number;
  /** How many bytes one write has; everything at once when absent. */
  split?: number;
  pieces: Piece[];
}

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** Parsed when it is JSON, else the text. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of many shapes
  body: any;
}

type Answerer = Answer | ((request: RecordedRequest) => Answer);
type AnswerOptions = Omit<Answer, 'pieces'>;

export function json(value: unknown, options: AnswerOptions = {}): Answer {
  return raw([JSON.stringify(value)], {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

export function sse(pieces: Piece[], options: AnswerOptions = {}): Answer {
  return raw(pieces, { ...options, headers: { 'content-type': 'text/event-stream', ...options.headers } });
}

export function raw(pieces: Piece[], options: AnswerOptions = {}): Answer {
  return { ...options, pieces };
}

/** A chat completion chunk with some text, or with any delta. */
export function delta(content: string | Record<string, unknown>, fields: Record<string, unknown> = {}): object {
  return chunk({ index: 0, delta: typeof content === 'string' ? { content } : content, finish_reason: null }, fields);
}

export function finish(reason = 'stop', fields: Record<string, unknown> = {}): object {
  return chunk({ index: 0, delta: {}, finish_reason: reason }, fields);
}

export function usageChunk(prompt: number, completion: number, details: Record<string, unknown> = {}): object {
  return { ...chunk({}), choices: [], usage: usage(prompt, completion, details) };
}

export function completion(content: string | Record<string, unknown>, fields: Record<string, unknown> = {}): object {
  const message = typeof content === 'string' ? { role: 'assistant', content } : content;
  return {
    id: 'up-1',
    object: 'chat.completion',
    created: 1,
    model: 'up-model',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: usage(3, 2),
    ...fields,
  };
}

function chunk(choice: object, fields: Record<string, unknown> = {}): object {
  return { id: 'up-1', object: 'chat.completion.chunk', created: 1, model: 'up-model', choices: [choice], ...fields };
}

function usage(prompt: number, completed: number, details: Record<string, unknown> = {}): object {
  return { prompt_tokens: prompt, completion_tokens: completed, total_tokens: prompt + completed, ...details };
}

export class Upstream {
  readonly requests: RecordedRequest[] = [];
  connections = 0;
  openConnections = 0;
  openStreams = 0;
  private readonly answers: Answerer[] = [];
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

  static async start(): Promise<Upstream> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const upstream = new Upstream(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Adds the answer to the next request that has none. */
  answer(...answers: Answerer[]): this {
    this.answers.push(...answers);
    return this;
  }

  /** Resolves with the n-th request, counted from 1, as soon as it has arrived with its body. */
  async arrived(n = 1): Promise<RecordedRequest> {
    await this.until(() => this.requests.length >= n);
    return this.requests[n - 1] as RecordedRequest;
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

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.until(() => this.openConnections === 0);
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
    const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    const answer = typeof next === 'function' ? next(recorded) : next;
    if (!answer) throw new Error(`the test has no answer for ${recorded.method} ${recorded.path}`);
    isCut = answer.pieces.includes(CUT);
    await play(answer, response);
  }
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: request.headers['content-type']?.includes('json') ? (JSON.parse(text) as unknown) : text,
  };
}

async function play(answer: Answer, response: ServerResponse): Promise<void> {
  if (answer.headDelayMs !== undefined) await sleep(answer.headDelayMs);
  for (const piece of answer.pieces) {
    if (response.destroyed) return;
    if (piece === STALL) return;
    if (piece === CUT) {
      // The pieces before the cut must reach the client.
      await turn();
      response.socket?.destroy();
      return;
    }
    if (!response.headersSent) {
      response.writeHead(answer.status ?? 200, answer.headers);
      response.flushHeaders();
    }
    if (typeof piece === 'number') await sleep(piece);
    else if (piece instanceof Promise) await piece;
    else if (typeof piece === 'function') await (piece as () => unknown)();
    else await write(response, toBytes(piece), answer.split);
  }
  if (!response.headersSent) response.writeHead(answer.status ?? 200, answer.headers);
  response.end();
}

function toBytes(piece: object | string): Buffer {
  if (Buffer.isBuffer(piece)) return piece;
  return Buffer.from(typeof piece === 'string' ? piece : `data: ${JSON.stringify(piece)}\n\n`);
}

/** Waits for the socket when it is full, so that a client that stops reading stops the server. */
async function write(response: ServerResponse, bytes: Buffer, split = bytes.length): Promise<void> {
  for (let start = 0; start < bytes.length && !response.destroyed; start += split) {
    const isFree = response.write(bytes.subarray(start, start + split));
    if (!isFree) await drained(response);
    if (split < bytes.length) await turn();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
