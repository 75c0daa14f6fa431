import type { z } from 'zod';
import type { Daemon } from '../daemon';
import type { LineStream } from './line-stream';

/** What a route is given. */
export interface Exchange<Query = unknown, Body = unknown> {
  daemon: Daemon;
  /** What stands in the place of `:id` in its path. */
  id: string;
  query: Query;
  body: Body;
  /** Fires when the client is gone, or the daemon ends. */
  gone: AbortSignal;
  /** Whether the client left, before its answer was complete. */
  isAbandoned: () => boolean;
  /** Answers with a stream. To be called once; the route must resolve with nothing then. */
  stream: (status?: number) => LineStream;
}

/** An answer that is no stream. */
export interface Answer {
  status: number;
  body: unknown;
}

/** One operation of the control API. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** With at most one `:id`. */
  path: string;
  query?: z.ZodType;
  body?: z.ZodType;
  handle(exchange: Exchange): Promise<Answer | undefined>;
}

/** A route with checked types of its query and body. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(
  definition: Omit<Route, 'query' | 'body' | 'handle'> & {
    query?: Query;
    body?: Body;
    handle(exchange: Exchange<z.output<Query>, z.output<Body>>): Promise<Answer | undefined>;
  },
): Route {
  return definition;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}
