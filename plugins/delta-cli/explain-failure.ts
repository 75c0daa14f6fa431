import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { failureByRules } from '../_shared/cli/failure-by-rules';
import type { FailureRule } from '../_shared/cli/failure-rule';
import { isFields, textOf } from '../_shared/fields';
import { failureRules, startRules } from './failure-rules';
import type { Options } from './options';
import { secondsUntilReset } from './reset-time';

const TOO_LARGE = /Input exceeds the maximum length of (\d+) characters/;
/** How the CLI begins the line that says why it does not start. */
const SAID = /^(?:(?:error|Error): (.+)|((?:Error |Not inside ).+))$/m;

/** What is known of a run that failed. */
export interface Failed {
  model: string | undefined;
  /** Whether a tool has been at work. */
  hasActed: boolean;
}

/** Makes the error of a turn that the CLI says has failed. */
export function explainFailure(context: DriverContext<Options>, message: string, failed: Failed): DriverFailure {
  const { text, isAnswer } = unwrap(message);
  // What the backend says about the request comes as the bare body of its answer.
  const fallback = { code: isAnswer ? 'rejected' : 'upstream', kind: isAnswer ? 'rejected' : 'upstream' } as const;
  return makeError(context, text, failureRules, fallback, failed);
}

/** Makes the error of a run that ended by itself without saying how its turn ended; `error` is what core makes of it. */
export function explainEnd(
  context: DriverContext<Options>,
  { stderr, lastError, error }: { stderr: string; lastError: string | undefined; error: DriverFailure },
  failed: Failed,
): DriverFailure {
  if (error.code === 'not_installed' || error.code === 'canceled') return error;
  const tooLarge = TOO_LARGE.exec(stderr);
  if (tooLarge) {
    return context.error('invalid_request', `the Codex CLI takes prompts of up to ${tooLarge[1]} characters`, {
      kind: 'context_overflow',
      param: 'messages',
      cause: error,
    });
  }
  const [, first, second] = SAID.exec(stderr) ?? [];
  const start = first ?? second;
  if (start !== undefined && startRules.some(({ pattern }) => pattern.test(start))) {
    return explainStart(context, start, failed);
  }
  if (lastError !== undefined) return explainFailure(context, lastError, failed);
  const rule = failureRules.find(({ pattern }) => pattern.test(start ?? ''));
  return rule ? makeError(context, start ?? '', [rule], rule, failed) : withHint(context, error, failed);
}

/** What no rule knows: the CLI itself can be asked. */
function withHint(context: DriverContext<Options>, error: DriverFailure, { hasActed }: Failed): DriverFailure {
  const { code, kind, message } = error;
  const hint = error.hint ?? `see what it does: run: ${context.options.command} exec --skip-git-repo-check hello`;
  return context.error(code, message, {
    ...(kind && { kind }),
    hint,
    cause: error,
    ...(hasActed && { sideEffects: true }),
  });
}

function explainStart(context: DriverContext<Options>, message: string, failed: Failed): DriverFailure {
  const rule = startRules.find(({ pattern }) => pattern.test(message))!;
  const option = rule.pattern.exec(message)?.slice(1).find(Boolean);
  const isOurs = option === undefined || !context.options.extra_args.some((argument) => argument.startsWith(option));
  if (isOurs) return makeError(context, message, [rule], rule, failed);
  return context.error('rejected', `codex: ${message}`, { kind: rule.kind, hint: `remove ${option} from extra_args` });
}

function makeError(
  context: DriverContext<Options>,
  message: string,
  rules: readonly FailureRule[],
  fallback: Pick<FailureRule, 'code' | 'kind'>,
  failed: Failed,
): DriverFailure {
  const { command, api_key_env: keyName } = context.options;
  const run = { ...failed, name: 'codex', command, keyName: keyName || undefined };
  return failureByRules(context, message, run, { rules, fallback, secondsUntilReset });
}

/** The message inside of an error answer's body. */
function unwrap(message: string): { text: string; isAnswer: boolean } {
  if (!message.startsWith('{')) return { text: message, isAnswer: false };
  let body: unknown;
  try {
    body = JSON.parse(message);
  } catch {
    return { text: message, isAnswer: false };
  }
  if (!isFields(body)) return { text: message, isAnswer: false };
  const error = isFields(body.error) ? body.error : {};
  const text = textOf(error.message) ?? textOf(body.error) ?? textOf(body.detail) ?? textOf(body.message) ?? message;
  return { text, isAnswer: true };
}
