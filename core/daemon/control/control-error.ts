import { codeOf, ConfigError, hintOf, messageOf, UsageError } from '../../errors';
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
  const hint = hintOf(error);
  if (error instanceof ConfigError) {
    return { status: 422, body: { error: { code: error.code, message, problems: error.problems } } };
  }
  const status = error instanceof UsageError ? 400 : error instanceof RefusedError ? error.status : 500;
  const code = codeOf(error) ?? 'internal';
  return { status, body: { error: { code, message, ...(hint !== undefined && { hint }) } } };
}
