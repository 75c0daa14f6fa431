import type { ErrorKind } from './api';

/** A record, so that the compiler complains when the contract gets a kind that is missing here. */
const KNOWN_KINDS: Record<ErrorKind, true> = {
  auth: true,
  unreachable: true,
  timeout: true,
  upstream: true,
  rejected: true,
  rate_limited: true,
  invalid_request: true,
  not_installed: true,
  protocol: true,
  canceled: true,
  client_gone: true,
  killed: true,
  shutdown: true,
  missing_key: true,
  login_required: true,
  usage_limit: true,
  overloaded: true,
  model_unavailable: true,
  context_overflow: true,
  permission_blocked: true,
  untrusted_workspace: true,
  crashed: true,
  binary_missing: true,
  binary_not_executable: true,
  interpreter_missing: true,
  binary_broken: true,
  spawn_failed: true,
  working_directory: true,
  unusable_argument: true,
  line_too_long: true,
  bad_option: true,
  program_config: true,
  billing: true,
  content_filter: true,
  truncated: true,
  empty: true,
  driver_bug: true,
  driver_setup: true,
  untrusted_project: true,
};

/** Every value that `details.kind` may have. */
export const errorKinds = Object.keys(KNOWN_KINDS) as readonly ErrorKind[];

/** Plug-ins are not compiled against the contract. */
export function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === 'string' && Object.hasOwn(KNOWN_KINDS, value);
}
