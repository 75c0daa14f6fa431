import type { ErrorKind } from '../../../contract/api';
import type { CallError } from '../../to-http-error';

/**
 * The status of a driver's failure by its kind, else by its code, for `serve --upstream-status`. Behind the first stand those
 * that stay as the backend sent them. All other failures keep the status of the gateway: 502, or 504.
 */
export const upstreamStatuses: Readonly<Partial<Record<ErrorKind, readonly [number, ...number[]]>>> = {
  rejected: [400, 404, 413, 422],
  invalid_request: [400],
  context_overflow: [400, 413],
  content_filter: [400, 403, 422],
  auth: [401, 403],
  missing_key: [401],
  login_required: [401],
  billing: [402],
  permission_blocked: [403],
  untrusted_workspace: [403],
  model_unavailable: [404],
  rate_limited: [429],
  usage_limit: [429],
  overloaded: [503, 529],
  upstream: [502, 503],
};

export function upstreamStatus({ failure, status }: CallError): number {
  const { kind, code, status: sent } = failure;
  const known = upstreamStatuses[kind] ?? upstreamStatuses[code];
  return known?.find((each) => each === sent) ?? known?.[0] ?? status;
}
