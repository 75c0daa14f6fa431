import type { DriverErrorCode, DriverFailure, ErrorKind } from './api';

/** The consequences of a failure, for every part of the program that has to decide something about it. */
interface FailurePolicy {
  /** The error that the client of the gateway gets. `none`: the client has left. */
  client: 'upstream_error' | 'timeout' | 'invalid_request' | 'none';
  /** Whether the client may try the same request again. Never when an agent may already have acted. */
  retryable: boolean;
  offline: boolean;
}

/** The one table of the codes that a driver error may have, with their consequences. */
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

/** What a failure means for the other targets of the same request. */
interface NextTarget {
  /** Whether a route asks its next target: another backend may well answer this request. */
  route: boolean;
  /** Whether an agent goes on with its `models.fallback`: the backend failed, and not the request. */
  agent: boolean;
  /** What routes ask last for a while. */
  rests: 'provider' | 'model' | 'nothing';
}

const FAILED: NextTarget = { route: true, agent: true, rests: 'provider' };
const FULL: NextTarget = { route: true, agent: false, rests: 'provider' };
const OWN_FAULT: NextTarget = { route: false, agent: false, rests: 'nothing' };

const byCode: Readonly<Record<DriverErrorCode, NextTarget>> = {
  auth: FAILED,
  unreachable: FAILED,
  timeout: FAILED,
  upstream: FAILED,
  rejected: OWN_FAULT,
  rate_limited: FULL,
  invalid_request: OWN_FAULT,
  not_installed: FAILED,
  protocol: FAILED,
  canceled: OWN_FAULT,
};

/** Kinds that mean something else than their code does. */
const byKind: Readonly<Partial<Record<ErrorKind, Partial<NextTarget>>>> = {
  usage_limit: { route: true, rests: 'provider' },
  overloaded: { route: true, rests: 'provider' },
  billing: { route: true, rests: 'provider' },
  model_unavailable: { route: true, rests: 'model' },
  context_overflow: { route: true, rests: 'nothing' },
  empty: { agent: false },
  // How long it is over its own limits is always known: nothing is to be learned.
  rate_limit_exceeded: { route: true, rests: 'nothing' },
  budget_exceeded: { route: true, rests: 'nothing' },
};

/** The one table of what leads on to another target, for routes and for agents. */
export function nextTarget({ code, kind = code, param }: Pick<DriverFailure, 'code' | 'kind' | 'param'>): NextTarget {
  // A program says only when it is asked that the installed version has no tools: another backend may have them.
  if (code === 'invalid_request' && param === 'tools') return { ...OWN_FAULT, route: true };
  const refined = code === 'canceled' ? undefined : byKind[kind];
  return refined ? { ...byCode[code], ...refined } : byCode[code];
}
