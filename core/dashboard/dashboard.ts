import { existsSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from '../contract/api';
import { messageOf } from '../errors';
import { packageRoot } from '../package';
import { ProgramGone } from '../program-gone';
import { type AppRoute, createApp, type Request, type Response } from '../serving/create-app';
import { HttpError } from '../serving/http-error';
import { requireJson } from '../serving/read-body';
import { staticFiles } from '../serving/static-files';
import { checkSameOrigin, type DashboardAccess } from './access';
import { apiRoutes } from './api';
import type { DashboardHost } from './dashboard-host';
import { DeviceFacts } from './device-facts';
import { LiveState } from './live-state';
import { DASHBOARD_PATH, HOME } from './protocol';
import { STYLES } from './plain-page';
import { publicRoutes } from './public-routes';
import { failureOf, isApi, sendFailure } from './send-failure';
import { isOfAnotherUser } from './is-of-another-user';

/** On every answer: only the page's own files may run, be shown or be asked for, and no other page may embed or read them. */
const SAFE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

interface DashboardParts {
  host: DashboardHost;
  access: DashboardAccess;
  assets: string;
  log: Logger;
  /** What the page asks as other programs do, at paths of its own. */
  shared: readonly AppRoute[];
}

/** Answers everything below `/dashboard`. The gateway has made sure that requests come from this machine. */
export class Dashboard {
  private readonly app: RequestListener;
  private readonly live: LiveState;
  private readonly gone = new WeakMap<IncomingMessage, AbortSignal>();

  constructor(private readonly parts: DashboardParts) {
    const { host, assets, shared } = parts;
    const facts = new DeviceFacts(host);
    this.live = new LiveState(host, facts);
    const files = staticFiles(assets);
    this.app = createApp({
      before: (request) => this.check(request),
      routes: [
        ...publicRoutes(host),
        ...apiRoutes({ host, live: this.live, facts, goneOf: (request) => this.gone.get(request)!, shared }),
      ],
      others: (request, response, next) => this.servePage(request, response, () => files(request, response, next)),
      notFound: (request) => this.notFound(request),
      toHttpError: (error) => this.toHttpError(error),
      sendError: sendFailure,
    });
  }

  close(): void {
    this.live.close();
  }

  /** Answers every failure itself. */
  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    this.gone.set(request, whenGone(response, closing));
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    this.app(request, response);
  }

  private check(request: Request): void {
    if (isApi(request)) {
      this.checkCookie(request);
      checkSameOrigin(request);
      if (request.method === 'POST') requireJson(request);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      const headers = { allow: 'GET, HEAD' };
      throw new HttpError(405, 'method_not_allowed', 'the page takes only GET and HEAD', { headers });
    }
  }

  private servePage(request: Request, response: Response, sendFile: () => void): void {
    const { path, url, method, query } = request;
    if (path === DASHBOARD_PATH) return redirect(response, 308, HOME + url.slice(path.length));
    // A HEAD comes from programs that look at an address before a browser opens it. It must not use up a ticket.
    if (path === HOME && typeof query.token === 'string' && method === 'GET') {
      return this.letIn(request, response, query.token);
    }
    if (path !== STYLES) this.checkCookie(request);
    request.url = url.slice(DASHBOARD_PATH.length);
    sendFile();
  }

  /** The token leaves the address bar: from here on the browser has the cookie. */
  private letIn(request: Request, response: Response, token: string): void {
    const { access } = this.parts;
    checkUser(request);
    const isAdmitted = access.admits(token);
    // A browser that was let in before may open an old link from its history.
    if (!isAdmitted && !access.hasCookie(request)) {
      throw new HttpError(401, 'invalid_token', 'this link is not valid, or has been used', { hint: access.howToOpen });
    }
    if (isAdmitted) response.setHeader('set-cookie', access.setCookie(DASHBOARD_PATH));
    redirect(response, 303, HOME);
  }

  private checkCookie(request: Request): void {
    const { access } = this.parts;
    checkUser(request);
    if (access.hasCookie(request)) return;
    const message = 'this browser has not been let in, or the daemon has been restarted';
    throw new HttpError(401, 'no_token', message, { hint: access.howToOpen });
  }

  private notFound(request: Request): HttpError {
    if (isApi(request)) return new HttpError(404, 'unknown_url', `there is no ${DASHBOARD_PATH}${request.path}`);
    if (!existsSync(packageRoot)) return failureOf(new ProgramGone());
    if (!existsSync(join(this.parts.assets, 'index.html'))) {
      const hint = 'in the checkout, run: `npm run build`';
      return new HttpError(503, 'not_built', 'the page is not built', { hint });
    }
    return new HttpError(404, 'unknown_url', 'there is no such page', { hint: `the dashboard begins at \`${HOME}\`` });
  }

  private toHttpError(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    this.parts.log.error(`the dashboard failed: ${messageOf(error)}`);
    return failureOf(error);
  }
}

const ownUsers = new WeakSet<IncomingMessage['socket']>();

/** Another user can read the ticket in the arguments of the browser, and gets the cookie if the browser visits a server of that user. */
function checkUser({ socket }: Request): void {
  if (ownUsers.has(socket)) return;
  if (isOfAnotherUser(socket))
    throw new HttpError(403, 'forbidden_user', 'only the user of the daemon may open the dashboard');
  ownUsers.add(socket);
}

function redirect(response: Response, status: 303 | 308, location: string): void {
  response.writeHead(status, { location, 'content-length': 0 }).end();
}

/** Fires when the client is gone, or the gateway closes. */
function whenGone(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort();
  closing.addEventListener('abort', end);
  response.once('close', () => {
    closing.removeEventListener('abort', end);
    end();
  });
  return gone.signal;
}
