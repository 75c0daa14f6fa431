import { describeJson } from '../config/explain-json';
import type { DriverError } from '../plugins/driver-error';
import { isDriverError } from '../plugins/driver-error';
import { failurePolicies, type FailurePolicy } from '../providers/failure-policy';
import { QueueFullError } from '../providers/slots';
import type { LlmDevice } from '../vfs/llm-device';

/** What a client is told: status, body and headers. */
export class GatewayError extends Error {
  readonly param: string | null;
  readonly headers: Record<string, string>;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    extras: { param?: string; headers?: Record<string, string>; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.name = 'GatewayError';
    this.param = extras.param ?? null;
    this.headers = extras.headers ?? {};
    this.details = extras.details;
  }

  /** The body's `error` object. */
  toBody(): { error: Record<string, unknown> } {
    const { message, code, param, details } = this;
    return { error: { message, type: TYPES[this.status] ?? 'server_error', code, param, ...(details && { details }) } };
  }
}

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  417: 'invalid_request_error',
  431: 'invalid_request_error',
  429: 'rate_limit_error',
};

export function invalidRequest(message: string, param?: string): GatewayError {
  return new GatewayError(400, 'invalid_request', message, param === undefined ? {} : { param });
}

/** Says what was found in a request where something else is expected. Texts are not repeated: they are prompts. */
export function wrongField(path: string, found: unknown, expected: string): GatewayError {
  return invalidRequest(`${path}: found ${describeJson(found)}, expected ${expected}`, path);
}

/** Turns whatever a turn threw into the answer for the client. */
export function toGatewayError(error: unknown, device: LlmDevice | undefined): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof QueueFullError) {
    return new GatewayError(429, error.code, error.message, { headers: { 'retry-after': '1' } });
  }
  if (isDriverError(error)) return fromDriverError(error, device);
  return new GatewayError(500, 'internal_error', 'drivebay failed on this request; its log says why');
}

function fromDriverError(failure: DriverError, device: LlmDevice | undefined): GatewayError {
  const policy = failurePolicies[failure.code];
  if (failure.kind === 'shutdown') return shuttingDown();
  const headers: Record<string, string> = {};
  if (failure.retryAfterS !== undefined) headers['retry-after'] = String(failure.retryAfterS);
  // An SDK's silent retry would start an agent CLI, and whatever it does, once more.
  if (!policy.retryable || failure.sideEffects || device?.driverKind === 'cli') headers['x-should-retry'] = 'false';
  const details = {
    kind: failure.kind,
    ...(device && { provider: device.name }),
    ...(failure.status !== undefined && { upstream_status: failure.status }),
    ...(failure.retryAfterS !== undefined && { retry_after_s: failure.retryAfterS }),
    ...(failure.hint && { hint: failure.hint }),
  };
  const [status, code] = ANSWERS[policy.client];
  // A request that is at fault is so whoever found it.
  const message = device && status !== 400 ? `provider "${device.name}": ${failure.message}` : failure.message;
  const { param } = failure;
  return new GatewayError(status, code, message, { headers, details, ...(param !== undefined && { param }) });
}

const ANSWERS: Record<FailurePolicy['client'], [status: number, code: string]> = {
  upstream_error: [502, 'upstream_error'],
  timeout: [504, 'timeout'],
  invalid_request: [400, 'invalid_request'],
  none: [502, 'upstream_error'],
};

export function shuttingDown(): GatewayError {
  return new GatewayError(503, 'shutting_down', 'drivebay is shutting down', { headers: { 'retry-after': '1' } });
}
