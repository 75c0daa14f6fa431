import type { z } from 'zod';
import { parseSafely } from '../../config/parse-safely';
import { HttpError } from '../../serving/http-error';
import type { LineStream } from './line-stream';

export const HINT = 'see: drivebay docs control-api';

interface ControlCall<Query = unknown, Body = unknown> {
  /** The value of `:id` in the path: a path has at most one. */
  id: string;
  query: Query;
  body: Body;
  /** How many agents are between a user and the client. Throws a TooDeepError where they are too many to start more. */
  depth: () => number;
  /** Fires when the client is gone, or the daemon ends. */
  gone: AbortSignal;
  /** Calls back, once, if the client leaves, or has left, before its answer is complete. */
  whenAbandoned: (callback: () => void) => void;
  /** Begins an answer of many lines. To be called at most once; `handle` resolves with nothing then. */
  stream: () => LineStream;
}

export interface ControlRoute {
  method: 'get' | 'post' | 'delete';
  path: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the answer; 200 if absent. */
  status?: number;
  handle(call: ControlCall): unknown;
}

/** A route with checked types of its query and body. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(
  definition: Omit<ControlRoute, 'query' | 'body' | 'handle'> & {
    query?: Query;
    body?: Body;
    handle(call: ControlCall<z.output<Query>, z.output<Body>>): unknown;
  },
): ControlRoute {
  return definition;
}

/** The input of an operation, checked. `where` names it in the error. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: 'query' | 'body',
): z.output<Schema> {
  const { data, error } = parseSafely(schema, value);
  if (!error) return data;
  const issues = error.issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new HttpError(400, 'invalid_request', issues.join('; '), { hint: HINT });
}
