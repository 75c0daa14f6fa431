import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Closes connections when the server ends. Node's own `closeIdleConnections` does not close a connection that never sent
 * a byte, and browsers and HTTP libraries open such connections in advance.
 */
export class Connections {
  /** Each with the answer that its newest request waits for; undefined where it is idle. */
  private readonly open = new Map<Duplex, ServerResponse | undefined>();
  private closing = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.open.set(socket, undefined);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Marks the connection as busy until the response is done. */
  hold(socket: Socket, response: ServerResponse): void {
    this.open.set(socket, response);
    response.once('close', () => {
      if (this.closing) socket.destroySoon();
      // A client may send its next request before it has the answer.
      else if (this.open.get(socket) === response) this.open.set(socket, undefined);
    });
  }

  awaitedOn(socket: Duplex): ServerResponse | undefined {
    return this.open.get(socket);
  }

  /** Closes idle connections now, and each other one after its answer. */
  close(): void {
    this.closing = true;
    for (const [socket, response] of this.open) if (!response) socket.destroy();
  }
}
