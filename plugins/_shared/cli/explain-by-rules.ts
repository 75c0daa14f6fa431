import type { DriverContext, DriverErrorCode, DriverFailure, ErrorKind } from 'drivebay/plugin';
import { matchesFlag } from './extra-args';
import { resetTime } from './reset-time';

export interface FailureReport {
  /** Its words, for the user. */
  text?: string;
  /** The words to judge by, where the user is to see fewer of them. */
  words?: string;
  /** Its own name for the failure, for example `rate_limit`. */
  class?: string;
  status?: number;
  /** When a used-up limit is reset, in seconds since the epoch. */
  resetsAt?: number;
  /** How long the program itself would wait, in seconds. */
  retryAfterS?: number;
}

export interface FailedRun {
  path: string;
  /** What the program is called in messages. */
  name: string;
  /** The program as the user would type it. */
  command: string;
  provider: string;
  /** The variable that `api_key_env` names. */
  keyName?: string;
  model?: string;
  extraArgs: readonly string[];
  hasActed: boolean;
}

export interface HintFacts extends FailedRun {
  /** What the words of the rule caught. */
  match?: RegExpExecArray;
  /** When the limit is reset, where that is known. */
  resetsAt?: Date;
}

/** The code of each kind that is no code itself. */
const CODES = {
  login_required: 'auth',
  missing_key: 'auth',
  billing: 'auth',
  usage_limit: 'rate_limited',
  overloaded: 'upstream',
  truncated: 'upstream',
  empty: 'upstream',
  model_unavailable: 'rejected',
  context_overflow: 'rejected',
  content_filter: 'rejected',
  permission_blocked: 'rejected',
  untrusted_workspace: 'rejected',
  bad_option: 'not_installed',
  program_config: 'not_installed',
} as const;

type Hint = string | ((facts: HintFacts) => string);

/** The hints of the kinds that mean the same for every program. */
const HINTS: Partial<Record<ErrorKind, Hint>> = {
  billing: 'add credit to the account that pays, or use another provider',
  context_overflow: 'shorten the conversation, or use a model with a larger context window',
  model_unavailable: ({ model }) => `check the model name${model === undefined ? '' : ` "${model}"`}`,
  overloaded: 'try again in a minute, or use another model',
  rate_limited: 'try again in a minute',
  unreachable: 'check the network connection and the proxy variables of the daemon',
  untrusted_workspace: ({ command }) => `run ${command} once in that folder and trust it`,
  usage_limit: ({ resetsAt }) =>
    `wait until ${resetsAt ? resetsAt.toISOString() : 'the limit is reset'}, or use another provider`,
};

/**
 * What a failure is. One of the signs must fit: a status, `5xx`, a class of the program, or its words. A rule without signs
 * always fits. The first rule that fits counts. Words are sentences for people and change: a pattern is as short as it can
 * be without meaning something else.
 */
export interface FailureRule {
  kind: keyof typeof CODES | DriverErrorCode;
  signs?: readonly (number | string | RegExp)[];
  /** Default: that of the kind. */
  code?: DriverErrorCode;
  /** The request's field at fault. */
  param?: string;
  /** Default: that of the kind. Where a key of the provider pays, a refused login is a refused key. */
  hint?: Hint;
}

const STATUS = /\bstatus:? (\d{3})\b/;
/** A page or a stack may come instead of a message. */
const LONGEST = 1_000;
const UPSTREAM: FailureRule = { kind: 'upstream' };

/** The status is the one that the words name, where the report has none. */
export function findRule(
  rules: readonly FailureRule[],
  report: FailureReport,
): { rule: FailureRule; match?: RegExpExecArray; status?: number } | undefined {
  const { text = '', words = text } = report;
  const named = STATUS.exec(words)?.[1];
  const status = report.status ?? (named === undefined ? undefined : Number(named));
  const names = [report.class, status, status && `${Math.floor(status / 100)}xx`];
  for (const rule of rules) {
    if (!rule.signs) return { rule, status };
    for (const sign of rule.signs) {
      const match = typeof sign === 'object' ? (sign.exec(words) ?? undefined) : undefined;
      if (match || (typeof sign !== 'object' && names.includes(sign))) return { rule, match, status };
    }
  }
  return undefined;
}

export function explainByRules(
  { error }: Pick<DriverContext, 'error'>,
  rules: readonly FailureRule[],
  report: FailureReport,
  run: FailedRun,
): DriverFailure {
  const { rule, match, status } = findRule([...rules, UPSTREAM], report)!;
  const { kind } = rule;
  const code = rule.code ?? (kind in CODES ? CODES[kind as keyof typeof CODES] : (kind as DriverErrorCode));
  const now = Date.now();
  const at = code === 'rate_limited' ? timeOf(report, now) : undefined;
  const facts = { ...run, match, resetsAt: at === undefined ? undefined : new Date(at) };
  const culprit = kind === 'bad_option' ? culpritOf(match, run.extraArgs) : undefined;
  const words = report.text?.trim().slice(0, LONGEST) || wordsFor(report);
  const message = words.startsWith(`${run.name} `) ? words : `${run.name}: ${words}`;
  return error(culprit === undefined ? code : 'rejected', message, {
    kind,
    hint: culprit === undefined ? hintOf(rule, facts) : `remove ${culprit} from extra_args`,
    param: rule.param,
    status,
    retryAfterS: at === undefined ? undefined : Math.max(1, Math.ceil((at - now) / 1000)),
    sideEffects: run.hasActed,
  });
}

function hintOf({ kind, hint = HINTS[kind] }: FailureRule, facts: HintFacts): string | undefined {
  if (facts.keyName !== undefined && (kind === 'auth' || kind === 'login_required')) {
    return `check the key in ${facts.keyName}`;
  }
  return typeof hint === 'function' ? hint(facts) : hint;
}

function timeOf({ text = '', words = text, resetsAt, retryAfterS }: FailureReport, now: number): number | undefined {
  if (resetsAt !== undefined) return resetsAt * 1000;
  return resetTime(words, now) ?? (retryAfterS ? now + retryAfterS * 1000 : undefined);
}

/** The argument of the user that a program does not know. Some programs name the option without its dashes. */
function culpritOf(match: RegExpExecArray | undefined, extraArgs: readonly string[]): string | undefined {
  const option = match?.slice(1).find(Boolean)?.replace(/^-+/, '');
  if (option === undefined) return undefined;
  const flags = option.length === 1 ? [`--${option}`, `-${option}`] : [`--${option}`];
  return extraArgs.find((argument) => matchesFlag(argument, flags));
}

function wordsFor({ status, class: name }: FailureReport): string {
  return `the run failed${status === undefined ? '' : ` with status ${status}`}${name ? ` (${name})` : ''}`;
}
