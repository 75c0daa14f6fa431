import { basename } from 'node:path';
import type { DriverContext, DriverFailure, ExitStatus } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/fields';
import { matchesFlag } from '../_shared/cli/matches-flag';
import { exitCodes, statusOf } from './exit-codes';
import { explainFailure, type Failed } from './explain-failure';
import { failureRules } from './failure-rules';
import type { Options } from './options';

export interface End {
  stderr: string;
  /** The output that was no part of an answer. */
  noise: readonly string[];
  exit: ExitStatus;
  /** The version of Node that the program needs, where it has an older one. */
  neededNode: string | undefined;
  /** Whether the output ended within an answer. */
  isTorn: boolean;
  /** What core makes of it. */
  error: DriverFailure;
}

const LONGEST_QUOTE = 300;
const BAD_ARGUMENT =
  /^(?:Unknown arguments?: (\S+?),?(?: .*)?|Not enough arguments following: (\S+)|Invalid values:)$/m;
const UPDATE = 'npm install -g @google/gemini-cli (Qwen Code: @qwen-code/qwen-code)';

/** Makes the error of a run that ended by itself without saying on its output how it went. */
export function explainEnd(
  context: Pick<DriverContext<Options>, 'error' | 'options'>,
  { stderr, noise, exit, neededNode, isTorn, error }: End,
  failed: Failed,
): DriverFailure {
  if (error.code === 'not_installed' || error.code === 'canceled' || exit.signal !== null) return error;
  if (neededNode !== undefined) return explainNode(context, neededNode, error, failed);
  const bad = BAD_ARGUMENT.exec(stderr);
  if (bad) return explainArgument(context, bad, failed);
  // An output that is `json` has its errors here.
  const reported = trailingObject(stderr) ?? knownLine(stderr.split('\n')) ?? knownLine(noise);
  const status = statusOf(exit.code);
  if (reported !== undefined || status !== undefined) {
    return explainFailure(context, reported ?? error.message, failed, status);
  }
  if (!isTorn) return explainOtherEnd(context, { noise, exit, error }, failed);
  return context.error('protocol', `${basename(failed.path)} ended in the middle of its answer`, {
    kind: 'truncated',
    hint: 'it may lose the end of a long answer: send the request again, or ask for a shorter one',
    ...(failed.hasActed && { sideEffects: true }),
  });
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

function explainNode(
  { error: makeError }: Pick<DriverContext, 'error'>,
  needed: string,
  cause: DriverFailure,
  { path }: Failed,
): DriverFailure {
  const name = basename(path);
  const message = `${name} needs Node.js ${needed}, and found an older one on the PATH (${cause.message})`;
  return makeError('not_installed', message, {
    kind: 'interpreter_missing',
    hint: `install Node.js ${needed}, and ${name} with it; or start drivebay where it is the first on the PATH`,
    cause,
  });
}

/** Its words say nothing that we know. */
function explainOtherEnd(
  { error: makeError, options }: Pick<DriverContext<Options>, 'error' | 'options'>,
  { noise, exit, error }: Pick<End, 'noise' | 'exit' | 'error'>,
  { hasActed }: Failed,
): DriverFailure {
  const { code, kind, hint } = exitCodes.get(exit.code) ?? { ...error, hint: () => error.hint };
  const help = hint({ command: options.command, keyName: options.api_key_env || undefined });
  const printed = noise.join(' ').slice(0, LONGEST_QUOTE);
  return makeError(code, `${error.message}${printed && `; it printed: ${printed}`}`, {
    ...(kind !== undefined && { kind }),
    ...(help !== undefined && { hint: help }),
    ...(hasActed && { sideEffects: true }),
    cause: error,
  });
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
function knownLine(lines: readonly string[]): string | undefined {
  return lines
    .map((line) => line.replace(/\u001b\[\d+m/g, '').trim())
    .findLast((line) => !line.startsWith('at ') && failureRules.some(({ pattern }) => pattern.test(line)));
}
