import type { DriverErrorCode } from '../plugins/api';

/** What a failure means for everybody who has to decide something about it. */
export interface FailurePolicy {
  /** What the gateway's client is told; its floor knows the status codes. `none`: nobody is there any more. */
  client: 'upstream_error' | 'timeout' | 'invalid_request' | 'none';
  /** Whether the client may try the same request again. Never when an agent may already have acted. */
  retryable: boolean;
  /** Whether the provider is taken for offline until a check or a good turn says otherwise. */
  offline: boolean;
}

/** The one table that turns a driver's error code into consequences. */
export const failurePolicies: Readonly<Record<DriverErrorCode, FailurePolicy>> = {
  auth: { client: 'upstream_error', retryable: false, offline: true },
  unreachable: { client: 'upstream_error', retryable: true, offline: true },
  timeout: { client: 'timeout', retryable: true, offline: false },
  upstream: { client: 'upstream_error', retryable: true, offline: false },
  rejected: { client: 'upstream_error', retryable: false, offline: false },
  rate_limited: { client: 'upstream_error', retryable: true, offline: false },
  invalid_request: { client: 'invalid_request', retryable: false, offline: false },
  not_installed: { client: 'upstream_error', retryable: false, offline: true },
  protocol: { client: 'upstream_error', retryable: true, offline: false },
  canceled: { client: 'none', retryable: false, offline: false },
};
