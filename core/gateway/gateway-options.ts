import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../contract/api';
import type { ClientSource } from '../config/client-keys';
import type { Tracing } from '../contract/work-span';
import type { DeviceTable } from '../devices/device-table';
import type { LimitBook } from '../limits/limit-book';
import type { Exchange } from '../record/exchange';
import type { FlightRecorder } from '../record/flight-recorder';
import type { RequestEvent } from '../record/live-event';
import type { AccessRules } from './access-guard';
import type { Dialect } from './dialect';

/** What requests are answered with. A reload puts other devices in their place, so each request reads it anew. */
export interface Served {
  readonly devices: DeviceTable;
  readonly defaultProvider: string | undefined;
  /** Who may ask, and where their keys are. Absent: no client is configured. */
  readonly clients?: ClientSource;
}

export interface GatewayOptions extends Served {
  access: AccessRules;
  log: Logger;
  /** Sent as `Server`, so that another drivebay recognizes this one on its port. */
  product: string;
  /** Where what clients use is counted. Absent: nothing is limited. */
  limits?: LimitBook;
  /** The state folder, where the key of the carriers is kept. Absent: the key is of this gateway alone. */
  state?: string;
  /** Takes the events of calls. */
  publish?: (request: string, event: RequestEvent) => void;
  /** Keeps the last calls, for `drivebay debug`. */
  recorder?: FlightRecorder;
  /** Takes each call that has ended, as the recorder has it. */
  recorded?: (exchange: Exchange) => void;
  /** Takes the name of a model that a client asked for in vain: no provider serves it. */
  unserved?: (model: string) => void;
  /** Failures of a driver have the status of their kind, in the dialects that know one. */
  upstreamStatus?: boolean;
  /** The page for Prometheus; absent: there is none. */
  metrics?: () => Promise<{ type: string; text: string }>;
  /** Absent: requests are in no trace. */
  tracing?: Tracing;
  mounts?: readonly Mount[];
  /** With this, only the mounts and /health are served. The text is the error for every other path. */
  onlyMount?: string;
  dialects?: readonly [Dialect, ...Dialect[]];
}

/**
 * Something else that answers on the gateway's port. The gateway checks where its requests come from, and the key where the
 * mount wants that: they get no CORS headers.
 */
export interface Mount {
  /** The mount has this path and every path below. */
  path: string;
  /** It also answers browsers at `/`. */
  isHome?: boolean;
  /** It wants the key of the gateway's owner, or of a client: `senderOf` tells whose it was. */
  needsKey?: boolean;
  /** Answers every failure itself. `closing` fires when the gateway takes no more requests: streams have to end. */
  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void;
}

/** The mount whose path it is, or that is at home where or a browser asks for the home page. */
export function mountAt(
  mounts: readonly Mount[] | undefined,
  path: string,
  { method, headers }: IncomingMessage,
): Mount | undefined {
  // A browser asks for HTML; programs do not, and get JSON.
  const asksForHome = path === '/' && method === 'GET' && headers.accept?.includes('text/html');
  return mounts?.find(
    (mount) => (asksForHome && mount.isHome) || path === mount.path || path.startsWith(`${mount.path}/`),
  );
}
