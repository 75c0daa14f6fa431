import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections when the server ends. Node's own `closeIdleConnections` does not close a connection that never sent
 * a byte, and browsers and HTTP libraries open such connections in advance.
 */
export class Connections {
  private readonly idle = new Set<Socket>();
  private closing = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.idle.add(socket);
      socket.once('close', () => this.idle.delete(socket));
    });
  }

  /** Marks the connection as busy until the response is done. */
  hold(socket: Socket, response: ServerResponse): void {
    this.idle.delete(socket);
    response.once('close', () => {
      if (this.closing) socket.destroySoon();
      else if (!socket.destroyed) this.idle.add(socket);
    });
  }

  /** Closes idle connections now, and each other one after its answer. */
  close(): void {
    this.closing = true;
    for (const socket of this.idle) socket.destroy();
  }
}
