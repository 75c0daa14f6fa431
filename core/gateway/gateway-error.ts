import { describeJson } from '../config/explain-json';
import type { DriverError } from '../contract/driver-error';
import { isDriverError } from '../contract/driver-error';
import { failurePolicies, type FailurePolicy } from '../providers/failure-policy';
import { QueueFullError } from '../providers/slots';
import type { LlmDevice } from '../devices/device';
import { HttpError } from '../serving/http-error';
import { type ErrorCode, errorCodes } from './error-codes';

/** What a client is told: status, body and headers. */
export class GatewayError extends HttpError {
  readonly details: Record<string, unknown> | undefined;

  constructor(
    override readonly code: ErrorCode,
    message: string,
    extras: { param?: string; headers?: Record<string, string>; details?: Record<string, unknown> } = {},
  ) {
    super(errorCodes[code].status, code, message, extras);
    this.name = 'GatewayError';
    this.details = extras.details;
  }

  /** The body's `error` object. */
  toBody(): { error: Record<string, unknown> } {
    const { message, code, param = null, details } = this;
    return { error: { message, type: errorCodes[code].type, code, param, ...(details && { details }) } };
  }
}

export function invalidRequest(message: string, param?: string): GatewayError {
  return new GatewayError('invalid_request', message, param === undefined ? {} : { param });
}

/** Says what was found in a request where something else is expected. Texts are not repeated: they are prompts. */
export function wrongField(path: string, found: unknown, expected: string): GatewayError {
  return invalidRequest(`${path}: found ${describeJson(found)}, expected ${expected}`, path);
}

/** Turns whatever a turn threw into the answer for the client. */
export function toGatewayError(error: unknown, device: LlmDevice | undefined): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof HttpError) return new GatewayError(error.code as ErrorCode, error.message, error);
  if (error instanceof QueueFullError) {
    return new GatewayError(error.code, error.message, { headers: { 'retry-after': '1' } });
  }
  if (isDriverError(error)) return fromDriverError(error, device);
  return new GatewayError('internal_error', 'drivebay failed on this request; its log says why');
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
  const code = ANSWERS[policy.client];
  // A request that is at fault is so whoever found it.
  const message =
    device && code !== 'invalid_request' ? `provider "${device.name}": ${failure.message}` : failure.message;
  const { param } = failure;
  return new GatewayError(code, message, { headers, details, ...(param !== undefined && { param }) });
}

const ANSWERS: Record<FailurePolicy['client'], ErrorCode> = {
  upstream_error: 'upstream_error',
  timeout: 'timeout',
  invalid_request: 'invalid_request',
  none: 'upstream_error',
};

export function shuttingDown(): GatewayError {
  return new GatewayError('shutting_down', 'drivebay is shutting down', { headers: { 'retry-after': '1' } });
}
