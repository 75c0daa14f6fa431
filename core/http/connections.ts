import type * as Undici from 'undici';
import type { Exchange } from './exchange';
import { skipInterim } from './skip-interim';

export interface HttpLimits {
  connectTimeoutMs: number;
  /** How long a body may be silent. */
  bodyTimeoutMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = { connectTimeoutMs: 10_000, bodyTimeoutMs: 300_000 };

/**
 * How long an idle connection is kept where the server does not say. Longer than the library's 4 s, because a person
 * pauses longer than that between two requests; a server that closes earlier costs one repetition at worst.
 */
const IDLE_MS = 30_000;

/** Tells whether a connection has carried a request before. */
export interface Connection {
  isUsed: boolean;
}

/** What the pool hands to `dispatch`: the library passes the same object on to the connection it chooses. */
export interface TrackedOptions extends Undici.Dispatcher.DispatchOptions {
  exchange: Exchange;
}

/**
 * Opens an agent whose connections tell each exchange whether they are fresh. With `keepAlive` false each connection
 * carries one request.
 */
export function openAgent(limits: HttpLimits, keepAlive: boolean): Undici.Agent {
  const undici = loadUndici();
  return new undici.Agent({
    connections: null,
    // The library's way to say it: 0 closes a connection after its first answer.
    pipelining: keepAlive ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: limits.bodyTimeoutMs,
    factory: (origin, options) =>
      new undici.Pool(origin, {
        ...options,
        factory: (address, clientOptions) => openConnection(undici.Client, address, clientOptions),
      }),
  });
}

/** A client holds one connection at a time, and with pipelining 1 one exchange at a time. */
function openConnection(Client: typeof Undici.Client, address: URL, options: Undici.Client.Options): Undici.Client {
  const connection: Connection = { isUsed: false };
  let current: Exchange | undefined;
  // The pool has made one function out of its options, so that connections share their TLS sessions.
  const connect = options.connect as Undici.buildConnector.connector;
  const client = new Client(address, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (socket) skipInterim(socket, () => current?.awaitsHead ?? false);
        callback(...([error, socket] as Parameters<typeof callback>));
      }),
  });
  client.on('connect', () => {
    connection.isUsed = false;
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (options, handler) => {
    current = (options as TrackedOptions).exchange;
    current.connection = connection;
    return dispatch(options, handler);
  };
  return client;
}

/** When the first request needs it. */
function loadUndici(): Pick<typeof Undici, 'Agent' | 'Pool' | 'Client'> {
  return require('undici') as typeof Undici;
}
