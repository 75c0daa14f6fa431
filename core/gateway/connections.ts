import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections carry no request. Node's own notion does not help a server that wants to end: it takes one
 * that never sent a byte for busy, and browsers and HTTP libraries open such ones in advance.
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

  /** The connection is busy until the response is done. */
  hold(socket: Socket, response: ServerResponse): void {
    this.idle.delete(socket);
    response.once('close', () => {
      if (this.closing) socket.destroySoon();
      else if (!socket.destroyed) this.idle.add(socket);
    });
  }

  /** Closes the idle ones now, and the others as soon as their answer is out. */
  close(): void {
    this.closing = true;
    for (const socket of this.idle) socket.destroy();
  }
}
