import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { Connection, HttpExchange } from './http-exchange';
import type { Proxy } from './proxies';
import { tunnelThrough } from './tunnel';

export interface HttpLimits {
  connectTimeoutMs: number;
  /** How long a body may be silent. */
  bodyTimeoutMs: number;
}

/**
 * How long an idle connection is kept where the server does not say. Longer than undici's 4 s, because a person pauses
 * longer than that between two requests. If the server closes earlier, the request is repeated once.
 */
const IDLE_MS = 30_000;

/** The options of `dispatch`. Undici hands the same object to the connection that it chooses. */
export interface TrackedOptions extends Dispatcher.DispatchOptions {
  exchange: HttpExchange;
}

/**
 * Opens an agent whose connections tell each exchange whether they are fresh. With `keepAlive` false each connection
 * carries one request.
 */
export function openAgent(limits: HttpLimits, keepAlive: boolean, proxy?: Proxy): Agent {
  const { connectTimeoutMs: timeout } = limits;
  return new Agent({
    connections: null,
    // In undici, 0 closes a connection after its first answer.
    pipelining: keepAlive ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    connect: proxy ? tunnelThrough(proxy, timeout) : { timeout },
    headersTimeout: 0,
    bodyTimeout: limits.bodyTimeoutMs,
    factory: (origin, options) => new Pool(origin, { ...options, factory: openConnection }),
  });
}

/** A client holds one connection at a time, and with pipelining 1 one exchange at a time. */
function openConnection(address: URL, options: Client.Options): Client {
  const connection: Connection = { isUsed: false, carries: undefined };
  // The pool has made one function of its options, so that its connections share their TLS sessions.
  const connect = options.connect as buildConnector.connector;
  const client = new Client(address, {
    ...options,
    connect(target, callback) {
      // Undici also opens a connection for the request whose abort has closed the last one.
      if (!connection.carries) return callback(new Error('there is no request to connect for'), null);
      connect(target, callback);
    },
  });
  client.on('connect', () => {
    connection.isUsed = false;
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (options, handler) => {
    const { exchange } = options as TrackedOptions;
    connection.carries = exchange;
    exchange.connection = connection;
    return dispatch(options, handler);
  };
  return client;
}
