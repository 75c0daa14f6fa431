import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../errors';
import type { Logger } from '../contract/api';
import { type Access, checkSameOrigin } from './access';
import { redirect, sendHtml, sendJson, setSafeHeaders } from './answer';
import { answerApi } from './api';
import { Assets } from './assets';
import { DashboardError, onlyMethods } from './dashboard-error';
import type { DashboardHost } from './dashboard-host';
import { LiveState } from './live-state';
import { Lookout } from './lookout';
import { messagePage } from './message-page';
import { DASHBOARD_PATH } from './paths';
import type { DashboardFailure } from './protocol';

const HOME = `${DASHBOARD_PATH}/`;
const API = `${DASHBOARD_PATH}/api`;

export interface DashboardParts {
  host: DashboardHost;
  access: Access;
  /** The folder of the built page. */
  assets: string;
  log: Logger;
}

/** Answers everything below `/dashboard`. The gateway has made sure that requests come from this machine. */
export class Dashboard {
  private readonly live: LiveState;
  private readonly lookout: Lookout;
  private assets: Assets | undefined;

  constructor(private readonly parts: DashboardParts) {
    this.live = new LiveState(parts.host);
    this.lookout = new Lookout(parts.host);
  }

  close(): void {
    this.live.close();
  }

  /** Answers every failure itself. */
  async serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> {
    setSafeHeaders(response);
    const { pathname, query } = splitTarget(request);
    const isApi = pathname.startsWith(`${API}/`);
    try {
      if (isApi) {
        this.checkCookie(request);
        checkSameOrigin(request);
        await answerApi(pathname.slice(API.length), {
          ...{ request, response, query, gone: whenGone(response, closing) },
          ...{ host: this.parts.host, live: this.live, lookout: this.lookout },
        });
      } else this.answerPage(request, response, pathname, query);
    } catch (error) {
      this.sendFailure(request, response, error, isApi);
    }
  }

  private answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: URLSearchParams,
  ): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw onlyMethods('GET, HEAD');
    }
    if (pathname === DASHBOARD_PATH) {
      redirect(response, 308, query.size > 0 ? `${HOME}?${query.toString()}` : HOME);
      return;
    }
    const token = query.get('token');
    // A HEAD comes from programs that look at an address before a browser opens it: it must not use up a ticket.
    if (pathname === HOME && token !== null && request.method === 'GET') {
      this.letIn(request, response, token);
      return;
    }
    this.checkCookie(request);
    // A page that was not built yet may be later.
    if (!this.assets?.isBuilt) this.assets = new Assets(this.parts.assets);
    if (!this.assets.isBuilt) throw new DashboardError(503, 'not_built', 'the page is not built', BUILD);
    const name = pathname === HOME ? 'index.html' : pathname.slice(HOME.length);
    if (!this.assets.send(request, response, name)) {
      throw new DashboardError(404, 'unknown_url', 'there is no such page', 'the dashboard begins at `/dashboard/`');
    }
  }

  /** The token leaves the address bar, and the browser has the cookie from here on. */
  private letIn(request: IncomingMessage, response: ServerResponse, token: string): void {
    const { access } = this.parts;
    if (access.admits(token)) redirect(response, 303, HOME, access.setCookie(DASHBOARD_PATH));
    // A link from the history, in a browser that was let in.
    else if (access.hasCookie(request)) redirect(response, 303, HOME);
    else throw new DashboardError(401, 'invalid_token', 'this link is not valid, or not any more', access.howToOpen);
  }

  private checkCookie(request: IncomingMessage): void {
    if (this.parts.access.hasCookie(request)) return;
    throw new DashboardError(
      401,
      'no_token',
      'this browser has not been let in, or the daemon is a new one',
      this.parts.access.howToOpen,
    );
  }

  private sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown, isApi: boolean): void {
    const known = error instanceof DashboardError ? error : undefined;
    if (!known) this.parts.log.error(`the dashboard failed: ${messageOf(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, code, message, hint, headers } =
      known ?? new DashboardError(500, 'internal_error', 'the dashboard failed; the log of the daemon says why');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isApi) {
      const body: DashboardFailure = { error: { code, message, ...(hint !== undefined && { hint }) } };
      sendJson(response, status, body);
      return;
    }
    sendHtml(
      response,
      status,
      messagePage(TITLES[status] ?? 'Error', [message, ...(hint ? [hint] : [])], comingBack(request, code)),
    );
  }
}

const BUILD = 'in the checkout, run: `npm run build`, then restart the daemon';

const TITLES: Record<number, string> = {
  401: 'Not signed in',
  404: 'Not found',
  405: 'Not allowed',
  500: 'The dashboard failed',
  503: 'Not ready',
};

/**
 * A browser leaves a strict cookie out when a link of another page led here, and brings it along when this page leads on.
 */
function comingBack({ headers }: IncomingMessage, code: string): string | undefined {
  const site = headers['sec-fetch-site'];
  return code === 'no_token' && (site === 'cross-site' || site === 'same-site') ? HOME : undefined;
}

function splitTarget({ url = '/' }: IncomingMessage): { pathname: string; query: URLSearchParams } {
  const [pathname = '/'] = url.split('?', 1);
  return { pathname, query: new URLSearchParams(url.slice(pathname.length)) };
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
