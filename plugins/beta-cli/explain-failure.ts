import type { DriverContext, DriverFailure, ExitStatus } from 'drivebay/plugin';
import { failureByRules, type FailedRun } from '../_shared/cli/failure-by-rules';
import { failureRules } from './failure-rules';
import { secondsUntilReset } from './reset-time';

const LONGEST_QUOTE = 300;
const ESCAPE_SEQUENCES = /\u001b\[[\d;]*[A-Za-z]/g;

/** Makes the error of a run that says itself that it has failed. */
export function explainFailure(context: Pick<DriverContext, 'error'>, message: string, run: FailedRun): DriverFailure {
  const judges = { rules: failureRules, fallback: { code: 'upstream', kind: 'upstream' }, secondsUntilReset } as const;
  // Its longer messages are broken into lines.
  return failureByRules(context, message.replace(/\s+/g, ' ').trim(), run, judges);
}

export interface End {
  stderr: string;
  /** The output that was no event. */
  noise: readonly string[];
  /** An error that the events have told of. */
  lastError: string | undefined;
  exit: ExitStatus;
  /** What core makes of it. */
  error: DriverFailure;
}

/** Makes the error of a run that ended without a result. Its exit code is 0 even when it refuses to work. */
export function explainEnd(
  context: Pick<DriverContext, 'error'>,
  { stderr, noise, lastError, exit, error }: End,
  run: FailedRun,
): DriverFailure {
  if (error.code === 'not_installed' || error.code === 'canceled' || exit.signal !== null) return error;
  const printed = wordsOf(noise);
  // Some builds repeat their events here: what the model has said is no reason.
  const complained = wordsOf(stderr.split('\n').filter((line) => !/^\s*\{|\}\s*$/.test(line)));
  const reason = [lastError, printed, complained].find(
    (words) => words !== undefined && failureRules.some(({ pattern }) => pattern.test(words.replace(/\s+/g, ' '))),
  );
  if (reason !== undefined) return explainFailure(context, reason, run);
  const words = (lastError ?? (complained || printed)).slice(0, LONGEST_QUOTE);
  const end = exit.code === 0 ? 'ended without an answer' : `ended with exit code ${exit.code}`;
  return context.error(error.code, `${run.name} ${end}${words && `: ${words}`}`, {
    ...(error.kind !== undefined && { kind: error.kind }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(run.hasActed && { sideEffects: true }),
    cause: error,
  });
}

function wordsOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(ESCAPE_SEQUENCES, '').trim())
    .filter(Boolean)
    .join('\n');
}
