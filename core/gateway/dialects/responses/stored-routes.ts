import type { AppRoute, Request } from '../../../serving/create-app';
import { senderOf } from '../../clients/gateway-client';
import { sendBody, sendJson } from '../../../serving/send';
import { invalidRequest } from '../../read-fields';
import { gatewayError } from '../../to-http-error';
import type { ResponseStore, StoredResponse } from './response-store';

/** What is served beside calls: responses that are kept, and the refusal of WebSockets. */
export function storedRoutes(path: string, store: ResponseStore): AppRoute[] {
  return [
    {
      method: 'get',
      path,
      isRefusal: true,
      handle(request) {
        // With this status a client goes on over HTTP at once. After another one it would try for seconds.
        if (request.headers.upgrade !== undefined) {
          throw gatewayError('upgrade_required', 'there is no WebSocket here: send POST requests', {
            headers: { upgrade: 'HTTP/1.1', connection: 'close' },
          });
        }
        throw gatewayError('method_not_allowed', `${request.path} takes only POST`, { headers: { allow: 'POST' } });
      },
    },
    {
      method: 'get',
      path: `${path}/:id`,
      handle(request, response) {
        const { stream } = request.query;
        if (stream === 'true') throw invalidRequest('stream: a stored response is sent whole', 'stream');
        sendBody(response, 200, findIn(store, request).text);
      },
    },
    {
      method: 'delete',
      path: `${path}/:id`,
      handle(request, response) {
        const id = idOf(request);
        if (!ownOf(store, request).delete(id)) throw notFound(id);
        sendJson(response, 200, { id, object: 'response', deleted: true });
      },
    },
  ];
}

const ownOf = (store: ResponseStore, request: Request) => store.of(senderOf(request)?.name);

function findIn(store: ResponseStore, request: Request): StoredResponse {
  const id = idOf(request);
  const found = ownOf(store, request).get(id);
  if (!found) throw notFound(id);
  return found;
}

const idOf = ({ params }: Request) => String(params.id);

function notFound(id: string) {
  const message = `there is no response "${id}": responses are kept in memory for an hour, unless store is false`;
  return gatewayError('response_not_found', message);
}
