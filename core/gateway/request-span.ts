import type { Tracing, WorkSpan } from '../contract/work-span';
import type { Arrival } from './arrival';

/** The span of a request; it goes on with the trace of the client. */
export function openRequestSpan(
  tracing: Tracing | undefined,
  { id, path, request }: Arrival,
  dialect: string,
): WorkSpan | undefined {
  const facts = {
    'http.request.method': 'POST',
    'http.route': path,
    'url.path': path,
    'drivebay.request_id': id,
    'drivebay.dialect': dialect,
  };
  return tracing?.begin(`POST ${path}`, 'server', facts, request.headers);
}

export function endRequestSpan(
  span: WorkSpan | undefined,
  status: number,
  { provider, route, overheadMs }: { provider: string | undefined; route: string | undefined; overheadMs: number },
): void {
  const facts = {
    'http.response.status_code': status,
    'drivebay.provider': provider,
    'drivebay.route': route,
    'drivebay.overhead_ms': overheadMs,
  };
  // As the conventions say, the mistake of a client is no error of a server.
  span?.end(facts, status >= 500 ? String(status) : undefined);
}
