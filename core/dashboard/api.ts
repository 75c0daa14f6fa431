import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { summarizeUsage, USAGE_GROUPINGS } from '../record/usage-summary';
import { sendJson } from './answer';
import { DashboardError, noProcess, onlyMethods } from './dashboard-error';
import type { DashboardHost } from './dashboard-host';
import { lastEventId, sendEvents } from './event-feed';
import type { LiveState } from './live-state';
import type { Lookout } from './lookout';
import { sendProcess } from './process-detail';
import type { UsageAnswer } from './protocol';

/** What a request to the API is answered with. */
export interface ApiExchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  /** Fires when the page is gone, or the daemon ends. */
  gone: AbortSignal;
  host: DashboardHost;
  live: LiveState;
  lookout: Lookout;
}

interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  handle(exchange: ApiExchange, pid: number): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A date can be no further from the epoch. */
const time = z.coerce.number().min(-8.64e15).max(8.64e15);

const usageQuery = z.object({
  by: z.enum(USAGE_GROUPINGS).default('day'),
  split: z.literal('provider').optional(),
  from: time.default(0),
  to: time.optional(),
});

const ROUTES: Route[] = [
  {
    method: 'GET',
    path: /^\/state$/,
    async handle({ response, live }) {
      sendJson(response, 200, await live.now());
    },
  },
  {
    method: 'GET',
    path: /^\/events$/,
    async handle({ request, response, query, gone, host: { stream }, lookout }) {
      lookout.watch(gone);
      await sendEvents(response, { stream, after: lastEventId(request, query), gone });
    },
  },
  {
    method: 'GET',
    path: /^\/processes\/(\d{1,15})$/,
    async handle({ response, host, gone }, pid) {
      await sendProcess(response, pid, host, gone);
    },
  },
  {
    method: 'POST',
    path: /^\/processes\/(\d{1,15})\/kill$/,
    async handle({ response, host }, pid) {
      if (!(await host.kill(pid))) throw await whyNotKilled(host, pid);
      sendJson(response, 202, { pid });
    },
  },
  {
    method: 'GET',
    path: /^\/usage$/,
    async handle({ response, query, host }) {
      const { data, error } = usageQuery.safeParse(Object.fromEntries(query));
      if (!data) {
        const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
        throw new DashboardError(400, 'invalid_request', issues.join('; '));
      }
      const { by, split, from, to = Date.now() + DAY_MS } = data;
      await host.flushLedger();
      const usage = await summarizeUsage(host.state, { by, split: split !== undefined, from, to });
      sendJson(response, 200, { by, usage } satisfies UsageAnswer);
    },
  },
];

/** `path` is what follows `/dashboard/api`. */
export async function answerApi(path: string, exchange: ApiExchange): Promise<void> {
  const { request } = exchange;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const routes = ROUTES.filter((route) => route.path.test(path));
  const route = routes.find((each) => each.method === method);
  if (routes.length === 0) throw new DashboardError(404, 'unknown_url', `there is no /dashboard/api${path}`);
  if (route?.method === 'POST') checkContentType(request);
  if (route) return route.handle(exchange, Number(route.path.exec(path)?.[1]));
  throw onlyMethods(routes[0]!.method === 'GET' ? 'GET, HEAD' : 'POST');
}

/** Forms of other pages can send the others without asking first. */
function checkContentType({ headers }: IncomingMessage): void {
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new DashboardError(415, 'unsupported_media_type', 'send application/json');
}

async function whyNotKilled(host: DashboardHost, pid: number): Promise<DashboardError> {
  if (!(await host.record(pid))) return noProcess(pid);
  return new DashboardError(409, 'not_running', `process ${pid} does not run here, or has ended already`);
}
