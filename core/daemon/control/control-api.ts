import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { AskFirstError } from '../../agents/spawn-request';
import { codeOf, ConfigError, hintOf, messageOf, UsageError } from '../../errors';
import { productName, productVersion } from '../../package';
import { explainFolder } from '../../paths';
import { explainPart, ProgramGone } from '../../program-gone';
import { type AppRoute, createApp } from '../../serving/create-app';
import { HttpError } from '../../serving/http-error';
import { readJson } from '../../serving/read-body';
import { sendJson } from '../../serving/send';
import { admitDepth, DEPTH_HEADER, TooDeepError } from '../../subprocess/depth';
import { chatRoutes } from './chat-routes';
import { checkInput, type ControlRoute, HINT } from './control-route';
import { daemonRoutes } from './daemon-routes';
import { debugRoutes } from './debug-routes';
import { LineStream } from './line-stream';
import { listenerRoutes } from './listener-routes';
import type { Operations } from './operations';
import { programGone } from './program-gone';
import { processRoutes } from './process-routes';
import { projectRoutes } from './project-routes';
import type { ErrorAnswer } from './protocol';

/** The files of a question, with what JSON and base64 add to them. */
const BODY_LIMIT = 64 * 1024 * 1024;
/** How long the last lines of streams may take when the daemon ends. */
const LAST_LINES_MS = 500;

/** The whole control API. docs/control-api.md describes each route. */
export function controlRoutes(daemon: Operations): ControlRoute[] {
  return [
    ...daemonRoutes(daemon),
    ...projectRoutes(daemon),
    ...processRoutes(daemon),
    ...chatRoutes(daemon),
    ...listenerRoutes(daemon),
    ...debugRoutes(daemon),
  ];
}

/** Serves the control API (docs/control-api.md). Only the user can open its socket. */
export class ControlApi {
  private readonly app: RequestListener;
  /** Not one signal that all others follow: Node 20 would keep a trace of each of them in it. */
  private readonly calls = new Set<AbortController>();
  private isClosing = false;
  private readonly open = new Set<Promise<void>>();

  constructor(private readonly daemon: Operations) {
    this.app = createApp({
      routes: controlRoutes(daemon).map((route) => this.serving(route)),
      notFound: ({ path }) => new HttpError(404, 'unknown_url', `there is no ${path}`, { hint: HINT }),
      toHttpError: (error) => this.toHttpError(error),
      sendError: (response, error) => this.sendError(response, error),
    });
  }

  /** Answers every failure itself. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('server', `${productName}/${productVersion}`);
    // One call has one connection: its end is the end of the client.
    response.setHeader('connection', 'close');
    this.app(request, response);
  }

  /** A route for an Express app, ours or another one. The app decides which clients may ask: the route itself refuses none. */
  serving(route: ControlRoute, path = route.path): AppRoute {
    const { method } = route;
    return { method, path, handle: (request, response) => this.track(this.answer(route, request, response)) };
  }

  /** Ends the streams, and waits a moment for what is being written. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const call of this.calls) call.abort();
    await Promise.race([Promise.allSettled(this.open), pause(LAST_LINES_MS)]);
  }

  private track(done: Promise<void>): Promise<void> {
    this.open.add(done);
    return done.finally(() => this.open.delete(done));
  }

  private async answer(
    route: ControlRoute,
    request: IncomingMessage & { params: { id?: string }; query: unknown },
    response: ServerResponse,
  ): Promise<void> {
    const { query, body, status = 200 } = route;
    const gone = new AbortController();
    this.calls.add(gone);
    if (this.isClosing) gone.abort();
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void closed.then(() => {
      this.calls.delete(gone);
      gone.abort();
    });
    const answer = await route.handle({
      id: request.params.id ?? '',
      query: query && checkInput(query, request.query, 'query'),
      body: body && checkInput(body, await readJson(request, BODY_LIMIT, 'too_large'), 'body'),
      depth: () => admitDepth(request.headers[DEPTH_HEADER]),
      gone: gone.signal,
      whenAbandoned: (callback) => void closed.then(() => response.writableFinished || callback()),
      stream: () => {
        // There is nothing to wait for.
        if (request.method === 'HEAD') gone.abort();
        return new LineStream(response, status);
      },
    });
    if (answer === undefined) return;
    sendJson(response, status, answer);
    await closed;
  }

  private toHttpError(thrown: unknown): HttpError {
    if (thrown instanceof HttpError) return thrown;
    const error = explainPart(explainFolder(thrown, this.daemon.parts.paths));
    const message = messageOf(error);
    const extras = { hint: hintOf(error) };
    if (error instanceof ConfigError) return new HttpError(422, error.code, message, { problems: error.problems });
    if (error instanceof UsageError) return new HttpError(400, error.code, message, extras);
    if (error instanceof TooDeepError) return new HttpError(409, error.code, message, extras);
    if (error instanceof AskFirstError) return new HttpError(409, 'ask_first', message, extras);
    // Express says so of a path that it cannot decode.
    if (error instanceof URIError) return new HttpError(400, 'invalid_request', message, { hint: HINT });
    this.daemon.parts.log.error(`a control request failed: ${messageOf(thrown)}`);
    if (error instanceof ProgramGone) return programGone(error);
    return new HttpError(500, codeOf(error) ?? 'internal', message, extras);
  }

  private sendError(response: ServerResponse, { status, code, message, hint, problems, headers }: HttpError): void {
    const error = { code, message: this.daemon.parts.redactor.redact(message), hint, problems };
    sendJson(response, status, { error } satisfies ErrorAnswer, headers);
  }
}
