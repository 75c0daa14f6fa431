import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { RequestListener } from 'node:http';
import { HttpError } from './http-error';

export type { Request, Response };

/** One route of an Express app. A handler may throw, or reject with, any error. */
export interface AppRoute {
  method: 'get' | 'head' | 'post' | 'delete';
  /** A path of Express, exact in case and in its last slash. */
  path: string;
  handle: (request: Request, response: Response) => unknown;
  /** The route only explains why it refuses: `Allow` does not name its method. */
  isRefusal?: boolean;
}

interface AppRules {
  /** Runs before all routes, and throws to refuse a request. */
  before?: (request: Request, response: Response) => void;
  routes: readonly AppRoute[];
  /** Serves paths without a route; calls `next` for what it does not know. */
  others?: RequestHandler;
  /** Paths that are served elsewhere, with their methods: here, any other method is answered with 405. */
  servedElsewhere?: readonly { path: string; allow: string }[];
  /** The error for a path without a route. */
  notFound(request: Request): HttpError;
  /** Turns an error that a handler or Express threw into the error for the client. Logs bugs. */
  toHttpError(error: unknown, request: Request): HttpError;
  /** Sends an error in the form of the surface. */
  sendError(response: Response, error: HttpError, request: Request): void;
}

/**
 * An Express app with the rules that all of ours share. Import this file with the first request that needs it: loading
 * Express takes 35 ms.
 */
export function createApp(rules: AppRules): RequestListener {
  const app = express().disable('x-powered-by').disable('etag');
  app.enable('strict routing').enable('case sensitive routing');
  app.use((request, response, next) => {
    rules.before?.(request, response);
    next();
  });
  const allowed = new Map(rules.servedElsewhere?.map(({ path, allow }) => [path, [allow]]));
  for (const { method, path, handle, isRefusal } of rules.routes) {
    app[method](path, handle);
    // A path with no more than a head is as unknown as before to every other method.
    if (method === 'head' || isRefusal) continue;
    const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    allowed.set(path, [...(allowed.get(path) ?? []), ...methods]);
  }
  for (const [path, methods] of allowed) {
    const allow = methods.join(', ');
    app.all(path, (request) => {
      throw new HttpError(405, 'method_not_allowed', `${request.path} takes only ${allow}`, { headers: { allow } });
    });
  }
  if (rules.others) app.use(rules.others);
  app.use((request) => {
    throw rules.notFound(request);
  });
  // Express takes a function of four parameters for an error handler.
  app.use(((error, request, response, _next) => {
    const failure = rules.toHttpError(error, request);
    // An answer that has begun can only break off.
    if (response.headersSent) response.destroy();
    else rules.sendError(response, failure, request);
  }) satisfies ErrorRequestHandler);
  return app as RequestListener;
}
