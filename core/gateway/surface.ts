import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { type AppRoute, createApp } from '../serving/create-app';
import type { HttpError } from '../serving/http-error';
import { packageRoot } from '../package';
import { sendBody, sendJson } from '../serving/send';
import { pathOf } from './arrival';
import { Catalog } from './catalog';
import { senderOf } from './clients/gateway-client';
import type { DialectTable } from './dialect-table';
import type { GatewayOptions, Served } from './gateway-options';
import { refuseKey } from './route-model';
import { gatewayError, toHttpError } from './to-http-error';

/** Everything but calls and /health. Loaded with the first request that needs it. */
export async function createSurface(
  served: Served & Pick<GatewayOptions, 'metrics'>,
  dialects: DialectTable,
  startedAt: number,
): Promise<RequestListener> {
  const more = await Promise.all(dialects.all.map(async (dialect) => (await dialect.loadRoutes?.()) ?? []));
  return createApp({
    routes: [
      ...ownRoutes(served, dialects, Math.floor(startedAt / 1000)),
      metricsRoute(served.metrics),
      ...more.flat(),
    ],
    servedElsewhere: [
      ...[...dialects.calls.keys()].map((path) => ({ path, allow: 'POST' })),
      { path: '/health', allow: 'GET, HEAD' },
    ],
    notFound: (request) => nothingAt(request, dialects),
    toHttpError: (error) =>
      // Express fails with it where the path of a request cannot be decoded.
      error instanceof URIError ? gatewayError('unknown_url', 'the path cannot be decoded') : toHttpError(error),
    sendError(response, error, request) {
      const id = response.getHeader('x-request-id') as string | undefined;
      const { status, headers, body } = dialects.dialectOf(request).spellError(error, id);
      sendJson(response, status, body, headers);
    },
  });
}

function ownRoutes(served: Served, dialects: DialectTable, created: number): AppRoute[] {
  const catalog = new Catalog(created);
  const paths = ['/v1/models', ...dialects.all.flatMap(({ models }) => models?.paths ?? [])];
  return [
    ...paths.flatMap((path) => modelRoutes(path, catalog, served, dialects)),
    {
      method: 'get',
      path: '/openapi.json',
      async handle(_request, response) {
        sendBody(response, 200, await readFile(join(packageRoot, 'docs', 'openapi.json')));
      },
    },
  ];
}

function metricsRoute(metrics: GatewayOptions['metrics']): AppRoute {
  return {
    method: 'get',
    path: '/metrics',
    async handle(request, response) {
      if (!metrics)
        throw gatewayError('unknown_url', 'there are no metrics here: to have them, start drivebay with --metrics');
      // They tell of other clients, and of spending.
      if (senderOf(request))
        throw gatewayError('unknown_url', 'the metrics are for the owner, who sends the key of serve --api-key-env');
      const { type, text } = await metrics();
      sendBody(response, 200, text, { 'content-type': type });
    },
  };
}

/** The list of models at a path, and each model below it, in the form of the dialect that asks. */
function modelRoutes(path: string, catalog: Catalog, served: Served, dialects: DialectTable): AppRoute[] {
  const devicesFor = (request: IncomingMessage) => senderOf(request)?.allowedIn(served.devices) ?? served.devices;
  const formOf = (request: IncomingMessage) => (dialects.dialectOf(request).models ?? dialects.all[0].models)!;
  return [
    {
      method: 'get',
      path,
      async handle(request, response) {
        const form = formOf(request);
        const entries = await catalog.online(devicesFor(request));
        sendJson(response, 200, form.list([...entries, ...(form.more?.(entries) ?? [])], request));
      },
    },
    {
      method: 'get',
      // A model name may hold slashes, raw or encoded. Express gives the parts between them.
      path: `${path}/*id`,
      async handle(request, response) {
        const id = (request.params.id as unknown as string[]).join('/');
        const form = formOf(request);
        const devices = devicesFor(request);
        const standard = devices === served.devices ? served.defaultProvider : undefined;
        const entry = await catalog.find(
          id,
          devices,
          (entries) => form.more?.(entries) ?? [],
          () => {
            refuseKey(id, devices);
            return dialects.dialectOf(request).route(id, devices, standard);
          },
        );
        sendJson(response, 200, form.entry(entry));
      },
    },
  ];
}

/** The usual cause is a client that is set to another API, or to a base URL with too much or too little at its end. */
function nothingAt(request: IncomingMessage, dialects: DialectTable): HttpError {
  const names = [...new Set(dialects.all.map(({ name }) => name))].join(' or ');
  const settings = `the API ${names}, the base URL http://${request.headers.host ?? 'HOST:PORT'}/v1`;
  const message = `there is nothing at ${request.method} ${pathOf(request)}; a client of this gateway needs two settings: ${settings}`;
  return gatewayError('unknown_url', message);
}
