import { basename } from 'node:path';
import type { DriverContext, DriverFailure, ExitStatus } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/cli/fields';
import { matchesFlag } from '../_shared/cli/matches-flag';
import { explainFailure, type Failed } from './explain-failure';
import { failureRules } from './failure-rules';
import type { Options } from './options';

export interface End {
  stderr: string;
  exit: ExitStatus;
  /** Whether the output ended within an answer. */
  isTorn: boolean;
  /** What core makes of it. */
  error: DriverFailure;
}

const BAD_ARGUMENT =
  /^(?:Unknown arguments?: (\S+?),?(?: .*)?|Not enough arguments following: (\S+)|Invalid values:)$/m;
const UPDATE = 'npm install -g @google/gemini-cli (Qwen Code: @qwen-code/qwen-code)';

/** Makes the error of a run that ended by itself without saying on its output how it went. */
export function explainEnd(
  context: Pick<DriverContext<Options>, 'error' | 'options'>,
  { stderr, exit, isTorn, error }: End,
  failed: Failed,
): DriverFailure {
  if (error.code === 'not_installed' || error.code === 'canceled' || exit.signal !== null) return error;
  const bad = BAD_ARGUMENT.exec(stderr);
  if (bad) return explainArgument(context, bad, failed);
  // An output that is `json` has its errors here.
  const reported = trailingObject(stderr) ?? knownLine(stderr);
  const status = statusOf(exit.code);
  if (reported !== undefined || status !== undefined) {
    return explainFailure(context, reported ?? error.message, failed, status);
  }
  if (!isTorn) return error;
  return context.error('protocol', `${basename(failed.path)} ended in the middle of its answer`, {
    kind: 'truncated',
    hint: 'it may lose the end of a long answer: send the request again, or ask for a shorter one',
    ...(failed.hasActed && { sideEffects: true }),
  });
}

/** Its exit code is the HTTP status, of which a system keeps the last eight bits. */
function statusOf(code: number | null): number | undefined {
  const status = (code ?? 0) + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}

function explainArgument(
  { error, options }: Pick<DriverContext<Options>, 'error' | 'options'>,
  bad: RegExpExecArray,
  failed: Failed,
): DriverFailure {
  const message = `${basename(failed.path)}: ${bad[0]}`;
  const name = (bad[1] ?? bad[2])?.replace(/^-+/, '');
  const flags = name === undefined ? [] : [`--${name}`, ...(name.length === 1 ? [`-${name}`] : [])];
  const culprit = options.extra_args.find((argument) => matchesFlag(argument, flags));
  if (culprit !== undefined)
    return error('rejected', message, { kind: 'bad_option', hint: `remove ${culprit} from extra_args` });
  return error('not_installed', message, { kind: 'bad_option', hint: `update the CLI: ${UPDATE}` });
}

/** The message of the JSON object that the standard error ends with. */
function trailingObject(stderr: string): string | undefined {
  const start = stderr.lastIndexOf('\n{\n') + 1;
  if (!stderr.startsWith('{', start)) return undefined;
  try {
    const value: unknown = JSON.parse(stderr.slice(start));
    return isFields(value) && isFields(value.error) ? textOf(value.error.message) : undefined;
  } catch {
    return undefined;
  }
}

/** The last line that says something we know; others are noise, or lines of a stack. */
function knownLine(stderr: string): string | undefined {
  return stderr
    .split('\n')
    .map((line) => line.replace(/\u001b\[\d+m/g, '').trim())
    .findLast((line) => !line.startsWith('at ') && failureRules.some(({ pattern }) => pattern.test(line)));
}
