import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { RequestListener } from 'node:http';
import type { DeviceTable } from '../devices/device-table';
import { GatewayError, toGatewayError } from './gateway-error';
import { listModels, modelEntries } from './models';
import { modelNotFound } from './route-model';
import { sendError, sendJson } from './send-json';

/** Everything but the hot route. Loaded with the first request that needs it: Express costs a third of the start. */
export function createSurface(devices: DeviceTable, startedAt: number): RequestListener {
  const app = express().disable('x-powered-by').disable('etag');
  // The hot route is exact too: a path that is nearly right must not be told that its method is wrong.
  app.enable('strict routing').enable('case sensitive routing');

  app.get('/v1/models', async (_request, response) => {
    sendJson(response, 200, { object: 'list', data: await listModels(devices, startedAt) });
  });

  // A model name may hold slashes, raw or encoded.
  app.get('/v1/models/*id', (request, response) => {
    const id = request.params.id.join('/');
    const entry = devices
      .list()
      .flatMap((device) => modelEntries(device, startedAt))
      .find((each) => each.id === id);
    if (!entry) throw modelNotFound(id, devices);
    sendJson(response, 200, entry);
  });

  app.get('/openapi.json', (_request, response) => {
    const { openApi } = require('./openapi') as typeof import('./openapi');
    sendJson(response, 200, openApi());
  });

  app.all('/v1/models', onlyMethods('GET, HEAD'));
  app.all('/v1/models/*id', onlyMethods('GET, HEAD'));
  app.all('/v1/chat/completions', onlyMethods('POST'));
  app.all('/health', onlyMethods('GET, HEAD'));
  app.all('/openapi.json', onlyMethods('GET, HEAD'));
  app.use((request) => {
    throw new GatewayError('unknown_url', nothingAt(request));
  });
  app.use(((error, _request, response, next) => {
    if (response.headersSent) next(error);
    // Express says 400 of a path that cannot be decoded.
    else if (error instanceof URIError)
      sendError(response, new GatewayError('unknown_url', 'the path cannot be decoded'));
    else sendError(response, toGatewayError(error, undefined));
  }) satisfies ErrorRequestHandler);
  return app as RequestListener;
}

/** Most who come here have set a client to another API, or to a base URL with too much or too little at its end. */
function nothingAt({ method, path, headers }: Request): string {
  const settings = `the API chat-completions, the base URL http://${headers.host ?? 'HOST:PORT'}/v1`;
  return `there is nothing at ${method} ${path}; a client of this gateway needs two settings: ${settings}`;
}

function onlyMethods(allow: string): RequestHandler {
  return (request) => {
    throw new GatewayError('method_not_allowed', `${request.path} takes only ${allow}`, { headers: { allow } });
  };
}
