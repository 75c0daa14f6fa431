import type { DriverErrorCode, DriverFailure } from './api';

/** The consequences of a failure, for every part of the program that has to decide something about it. */
export interface FailurePolicy {
  /** What the client of the gateway is told, in its own status codes. `none`: the client has left. */
  client: 'upstream_error' | 'timeout' | 'invalid_request' | 'none';
  /** Whether the client may try the same request again. Never when an agent may already have acted. */
  retryable: boolean;
  offline: boolean;
  /** Whether an agent goes on with its fallback provider: the backend failed, and not the request. */
  fallback: boolean;
}

/** The one table of the codes that a driver error may have, with their consequences. */
export const failurePolicies: Readonly<Record<DriverErrorCode, FailurePolicy>> = {
  auth: { client: 'upstream_error', retryable: false, offline: true, fallback: true },
  unreachable: { client: 'upstream_error', retryable: true, offline: true, fallback: true },
  timeout: { client: 'timeout', retryable: true, offline: false, fallback: true },
  upstream: { client: 'upstream_error', retryable: true, offline: false, fallback: true },
  rejected: { client: 'upstream_error', retryable: false, offline: false, fallback: false },
  rate_limited: { client: 'upstream_error', retryable: true, offline: false, fallback: false },
  invalid_request: { client: 'invalid_request', retryable: false, offline: false, fallback: false },
  not_installed: { client: 'upstream_error', retryable: false, offline: true, fallback: true },
  protocol: { client: 'upstream_error', retryable: true, offline: false, fallback: true },
  canceled: { client: 'none', retryable: false, offline: false, fallback: false },
};

export function maySwitchProvider({ code, kind }: DriverFailure): boolean {
  return failurePolicies[code].fallback && kind !== 'empty';
}
