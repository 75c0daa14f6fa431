import { codeOf, ConfigError, messageOf, UsageError } from '../../errors';
import type { ErrorAnswer } from './protocol';

/** A refusal with a status and a code of the control API. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** The answer for whatever a route has thrown. */
export function toErrorAnswer(error: unknown): { status: number; body: ErrorAnswer } {
  const message = messageOf(error);
  const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? { hint: error.hint } : {};
  if (error instanceof ConfigError) {
    return { status: 422, body: { error: { code: error.code, message, problems: error.problems } } };
  }
  if (error instanceof UsageError) return { status: 400, body: { error: { code: error.code, message, ...hint } } };
  if (error instanceof RefusedError) {
    return { status: error.status, body: { error: { code: error.code, message, ...hint } } };
  }
  return { status: 500, body: { error: { code: codeOf(error) ?? 'internal', message, ...hint } } };
}
