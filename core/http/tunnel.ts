import { request } from 'node:http';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { codeOf } from '../errors';
import { ProxyFailure } from './proxy-failure';
import { credentialsFor, type Proxy, withoutBrackets } from './proxies';

const CONNECTED = 200;

/**
 * Opens connections by way of a proxy, which sees the name of the server and no more. Requests to `http:` addresses need
 * no tunnel, because the proxy itself is asked for them. Not the agent of undici: its errors do not tell the proxy from the
 * server behind it, and it asks for tunnels to port 80, which most proxies refuse.
 */
export function tunnelThrough(proxy: Proxy, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  const { protocol, host, hostname, port } = proxy.url;
  return (target, callback) => {
    if (target.host === host) {
      connect(target, callback);
      return;
    }
    connect({ protocol, host, hostname: withoutBrackets(hostname), port }, (error, socket) => {
      if (error) {
        callback(new ProxyFailure(codeOf(error) ?? error.message), null);
        return;
      }
      const server = target.port ? target.host! : `${target.host}:443`;
      openTunnel(socket, server, credentialsFor(proxy), timeoutMs).then(
        () => connect({ ...target, httpSocket: socket }, callback),
        (failure: Error) => {
          socket.destroy();
          callback(failure, null);
        },
      );
    });
  };
}

function openTunnel(
  socket: Socket,
  server: string,
  credentials: Record<string, string>,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { host: server, ...credentials };
    const asked = request({ method: 'CONNECT', path: server, headers, createConnection: () => socket });
    const timer = setTimeout(() => reject(new ProxyFailure('ETIMEDOUT')), timeoutMs);
    const settle = (failure?: ProxyFailure): void => {
      clearTimeout(timer);
      if (failure) reject(failure);
      else resolve();
    };
    asked.once('error', (error) => settle(new ProxyFailure(codeOf(error) ?? error.message)));
    // A refusal comes as `connect`, too.
    asked.once('connect', ({ statusCode = 0 }) => {
      settle(statusCode === CONNECTED ? undefined : new ProxyFailure(statusCode));
    });
    asked.end();
  });
}
