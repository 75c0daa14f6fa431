import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Upstream } from './upstream';

/** The certificate of the authority that signed the one of `model.test`: for `NODE_EXTRA_CA_CERTS`. */
export const AUTHORITY = join(__dirname, 'certificates', 'ca.pem');

/** A proxy on loopback. Each server that it is asked for is the upstream: with TLS in a tunnel, plain without. */
export class FakeProxy {
  /** What it was asked for, such as `CONNECT model.test:443`. */
  readonly asked: string[] = [];
  /** The name and the password of each request. */
  readonly credentials: (string | undefined)[] = [];
  /** The status of its own answer to every request; it serves without. */
  refuses: number | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly tls: TlsServer,
  ) {}

  /** `isSecure`: the proxy itself speaks TLS, as `https://127.0.0.1`. */
  static async start(upstream: Upstream, { isSecure = false } = {}): Promise<FakeProxy> {
    const pem = readFileSync(join(__dirname, 'certificates', 'model.test.pem'));
    const tls = createTlsServer({ key: pem, cert: pem }, (socket) => link(socket, connect(upstream.port, '127.0.0.1')));
    const server = isSecure ? createHttps({ key: pem, cert: pem }) : createServer();
    const proxy = new FakeProxy(server, tls);
    server.on('connection', (socket: Socket) => proxy.sockets.add(socket));
    server.on('connect', ({ url, headers }, socket: Socket) => {
      if (proxy.note(`CONNECT ${url}`, headers['proxy-authorization'])) {
        socket.end(`HTTP/1.1 ${proxy.refuses} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      link(socket, connect((tls.address() as AddressInfo).port, '127.0.0.1'));
    });
    server.on('request', (incoming, response) => {
      const { method, url = '', headers } = incoming;
      if (proxy.note(`${method} ${url}`, headers['proxy-authorization'])) {
        response.writeHead(proxy.refuses!).end();
        return;
      }
      const path = URL.canParse(url) ? new URL(url).pathname : url;
      const onward = request({ port: upstream.port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
    for (const each of [server, tls]) await once(each.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.sockets.size;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([this.server, this.tls].map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** Whether the request is refused. */
  private note(asked: string, credentials: string | undefined): boolean {
    this.asked.push(asked);
    this.credentials.push(credentials && Buffer.from(credentials.replace('Basic ', ''), 'base64').toString());
    return this.refuses !== undefined;
  }
}

function link(one: Socket, other: Socket): void {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('error', () => undefined);
    socket.on('close', () => peer.destroy());
    socket.pipe(peer);
  }
}
