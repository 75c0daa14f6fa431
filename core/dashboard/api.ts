import type { IncomingMessage } from 'node:http';
import { describeModels } from '../devices/describe-models';
import type { AppRoute } from '../serving/create-app';
import { HttpError } from '../serving/http-error';
import { requireJson } from '../serving/read-body';
import { sendJson } from '../serving/send';
import type { DashboardHost } from './dashboard-host';
import type { DeviceFacts } from './device-facts';
import { lastEventId, sendEvents } from './event-feed';
import { turnsOfToday } from './ledger-totals';
import type { LiveState } from './live-state';
import { sendProcess } from './send-process';
import { API_PATH, DASHBOARD_PATH } from './protocol';
import { deviceOf, tryProvider } from './try-provider';

interface ApiParts {
  host: DashboardHost;
  live: LiveState;
  facts: DeviceFacts;
  /** Fires when the page is gone, or the daemon ends. */
  goneOf: (request: IncomingMessage) => AbortSignal;
}

/** The API of the page. Everything it can do is an operation of the daemon. */
export function apiRoutes({ host, live, facts, goneOf }: ApiParts): AppRoute[] {
  return [
    answer('state', () => live.now()),
    {
      method: 'get',
      path: `${API_PATH}/events`,
      async handle(request, response) {
        const gone = goneOf(request);
        facts.watch(gone);
        const after = lastEventId(request.headers, request.query.after);
        await sendEvents(response, { stream: host.stream, after, gone });
      },
    },
    {
      method: 'get',
      path: `${API_PATH}/processes/:pid`,
      async handle(request, response) {
        const pid = pidOf(request);
        const processes = await host.processes();
        await sendProcess(response, pid, await processes.recorded(pid), goneOf(request));
      },
    },
    {
      method: 'post',
      path: `${API_PATH}/processes/:pid/kill`,
      async handle(request, response) {
        requireJson(request);
        const pid = pidOf(request);
        await (await host.processes()).kill(pid);
        sendJson(response, 202, { pid });
      },
    },
    answer('usage', (query) => host.usage({ by: 'day', ...query })),
    answer('limits', () => host.limits()),
    answer('tool-servers', () => host.toolServers()),
    answer('turns', () => turnsOfToday(host)),
    answer('models', async ({ project = null, provider = '' }) => {
      return describeModels(await deviceOf(host, project, provider));
    }),
    {
      method: 'post',
      path: `${API_PATH}/try`,
      handle: (request, response) => tryProvider(host, request, response, goneOf(request)),
    },
  ];
}

/** A GET that is answered with JSON. */
function answer(name: string, read: (query: { project?: string; provider?: string }) => Promise<unknown>): AppRoute {
  return {
    method: 'get',
    path: `${API_PATH}/${name}`,
    handle: async ({ query }, response) => sendJson(response, 200, await read(query)),
  };
}

function pidOf({ params, path }: { params: { pid?: string }; path: string }): number {
  if (!/^\d{1,15}$/.test(params.pid ?? '')) throw nothingAt(DASHBOARD_PATH + path);
  return Number(params.pid);
}

export function nothingAt(path: string): HttpError {
  return new HttpError(404, 'unknown_url', `there is no ${path}`);
}
