import type { IncomingMessage, RequestListener } from 'node:http';
import type { DeviceTable } from '../devices/device-table';
import { createApp } from '../serving/create-app';
import type { HttpError } from '../serving/http-error';
import { sendJson } from '../serving/send';
import { GatewayError, toGatewayError } from './gateway-error';
import { listModels, modelEntries } from './models';
import { modelNotFound } from './route-model';
import { sendError } from './send-error';

/** Everything but the hot route. Loaded with the first request that needs it. */
export function createSurface(devices: DeviceTable, startedAt: number): RequestListener {
  return createApp({
    routes: [
      {
        method: 'get',
        path: '/v1/models',
        async handle(_request, response) {
          sendJson(response, 200, { object: 'list', data: await listModels(devices, startedAt) });
        },
      },
      {
        method: 'get',
        // A model name may hold slashes, raw or encoded.
        path: '/v1/models/*id',
        handle({ params }, response) {
          const id = (params.id as unknown as string[]).join('/');
          const entries = devices.llms().flatMap((device) => modelEntries(device, startedAt));
          const entry = entries.find((each) => each.id === id);
          if (!entry) throw modelNotFound(id, devices);
          sendJson(response, 200, entry);
        },
      },
      {
        method: 'get',
        path: '/openapi.json',
        async handle(_request, response) {
          const { openApi } = await import('./openapi');
          sendJson(response, 200, openApi());
        },
      },
    ],
    servedElsewhere: [
      { path: '/v1/chat/completions', allow: 'POST' },
      { path: '/health', allow: 'GET, HEAD' },
    ],
    notFound: nothingAt,
    // Express says 400 of a path that cannot be decoded.
    toHttpError: (error) =>
      error instanceof URIError
        ? new GatewayError('unknown_url', 'the path cannot be decoded')
        : toGatewayError(error, undefined),
    sendError: (response, error) => sendError(response, error as GatewayError),
  });
}

/** Most who come here have set a client to another API, or to a base URL with too much or too little at its end. */
function nothingAt({ method, url, headers }: IncomingMessage): HttpError {
  const [path] = (url ?? '/').split('?', 1);
  const settings = `the API chat-completions, the base URL http://${headers.host ?? 'HOST:PORT'}/v1`;
  const message = `there is nothing at ${method} ${path}; a client of this gateway needs two settings: ${settings}`;
  return new GatewayError('unknown_url', message);
}
