import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a browser and a gateway, so that a test can take the network away. */
export class Proxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  private constructor(private readonly target: number) {}

  static async start(target: number): Promise<Proxy> {
    const proxy = new Proxy(target);
    await proxy.open();
    return proxy;
  }

  /** The same address as before, also after a cut. */
  async open(): Promise<void> {
    this.server = createServer((client) => this.join(client));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections, and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.server!, 'close');
    this.server!.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private join(client: Socket): void {
    const upstream = connect(this.target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
