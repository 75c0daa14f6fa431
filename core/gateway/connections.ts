import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Closes connections when the server ends, in place of Node's own `closeIdleConnections`. That does not close a connection that
 * never sent a byte, and browsers and HTTP libraries open such connections in advance. It also cuts an answer that is written
 * while its client still reads it.
 */
export class Connections {
  /** Each with the answers that its requests wait for, in their order: a client may send its next request before it has the answer. */
  private readonly open = new Map<Duplex, ServerResponse[]>();
  private closing = false;

  constructor(server: Server) {
    // The server calls it when it closes.
    server.closeIdleConnections = () => this.close();
    server.on('connection', (socket) => {
      const awaited: ServerResponse[] = [];
      this.open.set(socket, awaited);
      socket.once('close', () => {
        this.open.delete(socket);
        // Node tells only the answer whose turn it is that the connection has closed.
        for (const response of awaited.filter(({ socket }) => !socket)) response.destroy().emit('close');
      });
    });
  }

  /** Marks the connection as busy until the response is done. */
  hold(socket: Socket, response: ServerResponse): void {
    const awaited = this.open.get(socket)!;
    awaited.push(response);
    response.once('close', () => {
      awaited.splice(awaited.indexOf(response), 1);
      if (this.closing && awaited.length === 0) socket.destroySoon();
    });
  }

  /** The answer that the newest request on a connection waits for. */
  awaitedOn(socket: Duplex): ServerResponse | undefined {
    return this.open.get(socket)?.at(-1);
  }

  /** Closes idle connections now, and each other one after its answers. */
  private close(): void {
    this.closing = true;
    for (const [socket, awaited] of this.open) if (awaited.length === 0) socket.destroy();
  }
}
