import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { FailureRule } from './failure-rule';

const STATUS = /\bstatus:? (\d{3})\b/;
/** A page or a stack that came instead of a message. */
const LONGEST = 1_000;

export interface FailedRun {
  /** What the program is called in messages. */
  name: string;
  /** The program as the user would type it. */
  command: string;
  /** The variable that `api_key_env` names. */
  keyName: string | undefined;
  model: string | undefined;
  /** Whether a tool may have changed something. */
  hasActed: boolean;
}

export interface FailureJudges {
  rules: readonly FailureRule[];
  /** What a message is that no rule fits. */
  fallback: Pick<FailureRule, 'code' | 'kind'>;
  /** When a limit ends, in seconds from now, where the message says it. */
  secondsUntilReset: (message: string, now: Date) => number | undefined;
}

/** Makes the error of a run from the words that the program has for its failure. The first rule that fits counts. */
export function failureByRules(
  { error }: Pick<DriverContext, 'error'>,
  message: string,
  { name, command, keyName, model, hasActed }: FailedRun,
  { rules, fallback, secondsUntilReset }: FailureJudges,
): DriverFailure {
  const rule = rules.find(({ pattern }) => pattern.test(message));
  const { code, kind } = rule ?? fallback;
  const match = rule?.pattern.exec(message);
  const typed = /\s/.test(command) ? `'${command}'` : command;
  const hint = match ? rule?.hint?.({ command: typed, keyName, model, match }) : undefined;
  const status = STATUS.exec(message)?.[1];
  const retryAfterS = code === 'rate_limited' ? secondsUntilReset(message, new Date()) : undefined;
  return error(code, `${name}: ${message.slice(0, LONGEST)}`, {
    kind,
    ...(hint !== undefined && { hint }),
    ...(status !== undefined && { status: Number(status) }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(hasActed && { sideEffects: true }),
  });
}
