import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';
import { type AppRoute, createApp } from '../serving/create-app';
import type { HttpError } from '../serving/http-error';
import { packageRoot } from '../package';
import { sendBody, sendJson } from '../serving/send';
import { pathOf } from './arrival';
import type { DialectTable } from './dialect-table';
import { OfferedModels } from './offered-models';
import { modelNotFound } from './route-model';
import { gatewayError, toHttpError } from './to-http-error';

/** How long a list waits for providers that were offline, and for lists of models; slower ones are in the next list. */
const REFRESH_MS = 1_000;

/** Everything but calls and /health. Loaded with the first request that needs it. */
export async function createSurface(
  devices: DeviceTable,
  dialects: DialectTable,
  startedAt: number,
): Promise<RequestListener> {
  const more = await Promise.all(dialects.all.map(async (dialect) => (await dialect.loadRoutes?.(devices)) ?? []));
  return createApp({
    routes: [...ownRoutes(devices, Math.floor(startedAt / 1000)), ...more.flat()],
    servedElsewhere: [
      ...[...dialects.calls.keys()].map((path) => ({ path, allow: 'POST' })),
      { path: '/health', allow: 'GET, HEAD' },
    ],
    notFound: (request) => nothingAt(request, dialects),
    toHttpError: (error) =>
      // Express fails with it where the path of a request cannot be decoded.
      error instanceof URIError ? gatewayError('unknown_url', 'the path cannot be decoded') : toHttpError(error),
    sendError(response, error, request) {
      const { status, headers, body } = dialects.dialectAt(request.path).spellError(error);
      sendJson(response, status, body, headers);
    },
  });
}

function ownRoutes(devices: DeviceTable, created: number): AppRoute[] {
  const offered = new OfferedModels();
  const look = async () => {
    const looks = devices.llms().map((device) => Promise.all([device.refresh(), offered.refresh(device)]));
    await Promise.race([Promise.all(looks), pause(REFRESH_MS, undefined, { ref: false })]);
  };
  const entriesOf = (device: LlmDevice) => modelEntries(device, offered.namesOf(device), created);
  return [
    {
      method: 'get',
      path: '/v1/models',
      async handle(_request, response) {
        await look();
        const online = devices.llms().filter(({ health }) => health.state !== 'offline');
        sendJson(response, 200, { object: 'list', data: online.flatMap(entriesOf) });
      },
    },
    {
      method: 'get',
      // A model name may hold slashes, raw or encoded. Express gives the parts between them.
      path: '/v1/models/*id',
      async handle({ params }, response) {
        const id = (params.id as unknown as string[]).join('/');
        const find = () =>
          devices
            .llms()
            .flatMap(entriesOf)
            .find((each) => each.id === id);
        let entry = find();
        if (!entry) {
          await look();
          entry = find();
        }
        if (!entry) throw modelNotFound(id, devices);
        sendJson(response, 200, entry);
      },
    },
    {
      method: 'get',
      path: '/openapi.json',
      async handle(_request, response) {
        sendBody(response, 200, await readFile(join(packageRoot, 'docs', 'openapi.json')));
      },
    },
  ];
}

/** The provider under its bare name, with its default model where it has one, and with each model that it offers. */
function modelEntries({ name, defaultModel = '' }: LlmDevice, offered: readonly string[], created: number) {
  const models = new Set([defaultModel, ...offered].filter(Boolean));
  const ids = [name, ...[...models].map((model) => `${name}:${model}`)];
  return ids.map((id) => ({ id, object: 'model', created, owned_by: name }));
}

/** The usual cause is a client that is set to another API, or to a base URL with too much or too little at its end. */
function nothingAt(request: IncomingMessage, dialects: DialectTable): HttpError {
  const names = dialects.all.map(({ name }) => name).join(' or ');
  const settings = `the API ${names}, the base URL http://${request.headers.host ?? 'HOST:PORT'}/v1`;
  const message = `there is nothing at ${request.method} ${pathOf(request)}; a client of this gateway needs two settings: ${settings}`;
  return gatewayError('unknown_url', message);
}
