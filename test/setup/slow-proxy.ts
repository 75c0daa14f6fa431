import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Passes the bytes of a connection on in both directions, each piece some time after it came. */
export class SlowProxy {
  /** Of the answers, in ms. */
  delay = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(port: number): Promise<SlowProxy> {
    const server = createServer();
    const proxy = new SlowProxy(server);
    server.on('connection', (socket) => {
      const onward = connect(port, '127.0.0.1');
      for (const each of [socket, onward]) {
        proxy.sockets.add(each);
        each.on('error', () => undefined).setNoDelay(true);
      }
      socket.pipe(onward);
      onward.on('data', (piece) => setTimeout(() => socket.write(piece), proxy.delay));
      onward.on('close', () => socket.destroy());
      socket.on('close', () => onward.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
