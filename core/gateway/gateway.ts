import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { codeOf } from '../errors';
import type { HttpError } from '../serving/http-error';
import { announcesMore, CUT_SHORT } from '../serving/read-body';
import { useOriginForm } from './arrival';
import { Connections } from './connections';
import { DialectTable } from './dialect-table';
import { dialects } from './dialects/dialects';
import type { RequestHead } from './dialect';
import type { GatewayOptions } from './gateway-options';
import { LifeCycle } from './life-cycle';
import { explainUnreadable, refuseRaw } from './refuse-raw';
import { gatewayError } from './to-http-error';

const LOOPBACK = '127.0.0.1';
const DRAIN_MS = 10_000;

/** The HTTP gateway: one listener on loopback, in front of the devices. LifeCycle serves its requests. */
export class Gateway {
  private readonly server: Server;
  private readonly connections: Connections;
  private readonly dialects: DialectTable;
  private readonly lifeCycle: LifeCycle;

  constructor(private readonly options: GatewayOptions) {
    this.dialects = new DialectTable(options.dialects ?? dialects);
    this.lifeCycle = new LifeCycle(options, this.dialects);
    this.server = createServer({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // How often Node looks at the two limits above; its default is 30 s.
      connectionsCheckingInterval: 1_000,
      // Longer than clients keep idle connections, so that the client closes first.
      keepAliveTimeout: 75_000,
      // The access guard answers a request without a Host, in JSON.
      requireHostHeader: false,
    });
    // Some versions of Node drop the headers after the first thousand, an Origin too; others refuse them. Their size limits them.
    this.server.maxHeadersCount = 0;
    this.connections = new Connections(this.server);
    this.server.on('request', (request, response) => this.serve(request, response));
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      useOriginForm(request);
      const { bodyLimit } = this.dialects.dialectOf(request);
      if (!announcesMore(request, bodyLimit)) response.writeContinue();
      this.serve(request, response);
    });
    this.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response, unmetExpectation(request));
    });
    this.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      const error = gatewayError('method_not_allowed', 'this server is no proxy: it does not take CONNECT');
      if (this.connections.awaitedOn(socket)) socket.destroy();
      else this.refuse(socket, error);
    });
    this.server.on('clientError', (cause: Error, socket: Duplex) => this.refuseUnreadable(socket, cause));
  }

  /** How many calls are not answered yet. */
  get inFlight(): number {
    return this.lifeCycle.running.length;
  }

  /** Rejects with Node's own error, for example EADDRINUSE. */
  async listen(port: number): Promise<AddressInfo> {
    await once(this.server.listen({ port, host: LOOPBACK }), 'listening');
    return this.server.address() as AddressInfo;
  }

  /** Takes no more requests, gives the running ones 10 s, then ends them. */
  async drain(): Promise<void> {
    this.lifeCycle.close();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const patience = setTimeout(() => this.abortAll(), DRAIN_MS);
    await closed;
    clearTimeout(patience);
  }

  abortAll(): void {
    this.lifeCycle.abortAll();
    // A connection that is still open then belongs to a client that does not read.
    setTimeout(() => this.server.closeAllConnections(), 500).unref();
  }

  private serve(request: IncomingMessage, response: ServerResponse, refusal?: HttpError): void {
    this.connections.hold(request.socket, response);
    this.lifeCycle.serve(request, response, refusal);
  }

  private refuseUnreadable(socket: Duplex, cause: Error): void {
    // Bytes behind a request that ends the connection: they belong to no request, and its answer is on the way.
    if (codeOf(cause) === 'HPE_CLOSED_CONNECTION') return;
    const response = this.connections.awaitedOn(socket);
    const error = explainUnreadable(cause, response !== undefined && !response.req.complete);
    // Inside of an answer that has begun, the text of an error would be read as a part of it. An answer that has no socket
    // yet waits for the one before it.
    const isAfterAnother = response && (response.headersSent || !response.socket);
    if (!error || !socket.writable || isAfterAnother) socket.destroy();
    // Nothing can come any more, and a call that waits for the rest answers this under its own id.
    else if (socket.readableEnded && response?.req.emit(CUT_SHORT, error)) return;
    else this.refuse(socket, error, response?.req);
  }

  /** Answers bytes that never became a request, on the bare socket, in the form of the API that the head names. */
  private refuse(socket: Duplex, error: HttpError, head?: RequestHead): void {
    const id = this.lifeCycle.nextId();
    const dialect = head ? this.dialects.dialectOf(head) : this.dialects.all[0];
    const headers = Object.fromEntries(['x-request-id', ...dialect.headers.id].map((name) => [name, id]));
    refuseRaw(socket, dialect.spellError(error, id), headers);
    if (!this.lifeCycle.doorLog.takes(error.status)) return;
    this.options.log.info('request', { id, status: error.status, error: error.message });
  }
}

function unmetExpectation({ headers }: IncomingMessage): HttpError {
  const message = `Expect: found ${JSON.stringify(headers.expect)}, expected 100-continue or no such header`;
  return gatewayError('expectation_failed', message, { headers: { connection: 'close' } });
}
