import { stripVTControlCharacters } from 'node:util';
import type { DriverContext, DriverErrorDetails, DriverFailure } from 'drivebay/plugin';
import { explainFailure, type FailureParts } from './explain-failure';

export interface EndParts extends FailureParts {
  /** What core makes of the end of the process. */
  failure: DriverFailure;
  stderr: string;
  /** The first output that was no event. */
  noise?: string | undefined;
}

const QUOTE_LENGTH = 300;
/** What it says of arguments that it knows, but not like this. */
const BAD_ARGUMENTS = /argument '.*' is invalid|argument missing|^Error: .*(?<![\w-])--[a-z]/m;
const ROOT =
  'run drivebay as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1';

/** The error for a run that ended without its last event. */
export function explainEnd(context: DriverContext, parts: EndParts): DriverFailure {
  const { failure, stderr, noise, report, name } = parts;
  const refuse = (message: string, details: DriverErrorDetails): DriverFailure =>
    context.error(details.param ? 'invalid_request' : 'rejected', `${name}: ${message}`, {
      ...details,
      cause: failure,
    });

  const said =
    stderr
      .trim()
      .split('\n')
      .find((line) => /\b(?:error|cannot|exceeds)\b/i.test(line))
      ?.trim() ?? '';
  const unknown = /unknown option '(-[^']+)'/.exec(stderr)?.[1];
  if (unknown !== undefined) {
    const hint = `run: ${name} update; or take ${unknown} out of extra_args, or the option of the provider that sets it`;
    return refuse(said, { kind: 'bad_option', hint });
  }
  if (/cannot be used with root/i.test(stderr)) return refuse(said, { kind: 'permission_blocked', hint: ROOT });
  if (/piped stdin input exceeds/i.test(stderr)) {
    return refuse(said, { kind: 'context_overflow', param: 'messages', hint: 'send a shorter conversation' });
  }
  if (BAD_ARGUMENTS.test(stderr)) {
    return refuse(said, {
      kind: 'bad_option',
      hint: 'correct extra_args, or the option of the provider that sets it',
    });
  }
  // Words of the run itself, printed before it died, say more than its exit code.
  if (report.text !== undefined && failure.code !== 'not_installed') return explainFailure(context, parts);
  const details = {
    hint: `see what it does: run: ${name} -p hello`,
    ...detailsOf(failure),
    sideEffects: parts.sideEffects,
  };
  const isNoise = noise !== undefined && failure.code === 'protocol';
  const quote = isNoise ? `; it printed: ${stripVTControlCharacters(noise).slice(0, QUOTE_LENGTH)}` : '';
  return context.error(failure.code, failure.message + quote, details);
}

function detailsOf({ kind, hint, cause }: DriverFailure): DriverErrorDetails {
  return {
    ...(kind !== undefined && { kind }),
    ...(hint !== undefined && { hint }),
    ...(cause !== undefined && { cause }),
  };
}
