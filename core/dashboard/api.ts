import type { IncomingMessage } from 'node:http';
import { describeModels } from '../devices/describe-models';
import type { AppRoute } from '../serving/create-app';
import { sendJson } from '../serving/send';
import type { DashboardHost } from './dashboard-host';
import type { DeviceFacts } from './device-facts';
import { turnsOfToday } from './ledger-totals';
import type { LiveState } from './live-state';
import { API_PATH } from './protocol';
import { deviceOf, tryProvider } from './try-provider';

interface ApiParts {
  host: DashboardHost;
  live: LiveState;
  facts: DeviceFacts;
  /** Fires when the page is gone, or the gateway closes. */
  goneOf: (request: IncomingMessage) => AbortSignal;
  /** Routes of the control API. */
  shared: readonly AppRoute[];
}

/** The API of the page. Everything it can do is an operation of the daemon. */
export function apiRoutes({ host, live, facts, goneOf, shared }: ApiParts): AppRoute[] {
  return [
    ...shared.map((route): AppRoute => ({
      ...route,
      handle(request, response) {
        const gone = goneOf(request);
        if (route.path === `${API_PATH}/events`) facts.watch(gone);
        // A stream must not seem whole, and must not wait for a page that does not read.
        gone.addEventListener('abort', () => response.headersSent && response.destroy());
        return route.handle(request, response);
      },
    })),
    answer('state', () => live.now()),
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
