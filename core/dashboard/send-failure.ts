import type { IncomingMessage, ServerResponse } from 'node:http';
import { explainPart, ProgramGone } from '../program-gone';
import { HttpError } from '../serving/http-error';
import { sendBody, sendJson } from '../serving/send';
import { errorPage } from './plain-page';
import { API_PATH, type DashboardFailure, HOME } from './protocol';

type Asked = Pick<IncomingMessage, 'url' | 'headers'> & { originalUrl?: string };

export function isApi({ url = '', originalUrl = url }: Asked): boolean {
  return originalUrl.startsWith(`${API_PATH}/`);
}

/** The failure for the browser, when only the log explains the cause. */
export function failureOf(thrown: unknown): HttpError {
  const error = explainPart(thrown);
  if (error instanceof ProgramGone) return new HttpError(500, 'internal_error', error.message, { hint: error.hint });
  return new HttpError(500, 'internal_error', 'the dashboard failed; the log of the daemon says why');
}

/** As JSON for the page, which shows it, and else as a page. */
export function sendFailure(response: ServerResponse, error: HttpError, request: Asked): void {
  const { status, code, message, hint, headers } = error;
  if (isApi(request)) {
    return sendJson(response, status, { error: { code, message, hint } } satisfies DashboardFailure, headers);
  }
  // A browser leaves a strict cookie out when a page of another site led here. It sends the cookie when this page leads on.
  const site = request.headers['sec-fetch-site'];
  const comesBack = code === 'no_token' && (site === 'cross-site' || site === 'same-site');
  const page = errorPage(error, comesBack ? HOME : undefined);
  sendBody(response, status, page, { ...headers, 'content-type': 'text/html; charset=utf-8' });
}
