import { findRule, type FailureReport, type FailureRule, type HintFacts } from '../_shared/cli/explain-by-rules';

/** A limit of the subscription, which waiting for a moment does not help. A mere throttle says that it is none. */
const USAGE_LIMIT =
  /\b(?:usage|session|weekly|daily|hourly|5-hour|opus|sonnet)\s+limit\b|\bhit your\b[^.]*\blimit\b|\blimit reached\b/i;
const NO_USAGE_LIMIT = /\bnot (?:your|a|the) (?:usage )?limit\b/i;

/** Adds what neither the status nor the class of the program says. */
export function classify(report: FailureReport, hasKey: boolean): FailureReport {
  if (isUsageLimit(report)) return { ...report, class: 'usage_limit' };
  const isLogin = findRule(failureRules, report)?.rule.kind === 'login_required';
  return isLogin && hasKey ? { ...report, class: 'key_refused' } : report;
}

/** Another status speaks for itself, whatever words come with it. */
function isUsageLimit({ status, text = '', resetsAt }: FailureReport): boolean {
  if (status !== undefined && status !== 403 && status !== 429) return false;
  return resetsAt !== undefined || (USAGE_LIMIT.test(text) && !NO_USAGE_LIMIT.test(text));
}

const logIn = ({ command, keyName, provider }: HintFacts): string =>
  keyName === undefined
    ? `run: ${command} auth login; or, to pay by API key, set api_key_env: ANTHROPIC_API_KEY for provider "${provider}"`
    : `check the key in ${keyName}`;

/** The classes, statuses and words of claude 2.1. */
export const failureRules: readonly FailureRule[] = [
  {
    signs: ['usage_limit'],
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: ({ resetsAt }) =>
      `wait until ${resetsAt ? resetsAt.toISOString() : 'the limit is reset'}, or use another provider`,
  },
  {
    signs: [402, 'billing_error'],
    code: 'auth',
    kind: 'billing',
    hint: 'add credit to the account of the API key, or use the subscription',
  },
  { signs: [403, 'key_refused'], code: 'auth', hint: logIn },
  {
    signs: [
      401,
      'authentication_failed',
      /\bnot logged in\b|\bplease run \/login\b|\binvalid (?:api key|bearer token)\b/i,
      /\boauth token\b[^.]*\b(?:expired|revoked)\b/i,
    ],
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    signs: [404, 'model_not_found'],
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ model }) =>
      `${model === undefined ? 'set default_model' : `use another model than "${model}"`}: opus, sonnet and haiku name the latest ones`,
  },
  { signs: [429, 'rate_limit'], code: 'rate_limited' },
  {
    signs: [529, 'overloaded', /\boverloaded\b/i],
    code: 'upstream',
    kind: 'overloaded',
    hint: 'try again in a moment',
  },
  {
    signs: [413, 'prompt_too_long', /\bprompt is too long\b|\binput length\b/i],
    code: 'rejected',
    kind: 'context_overflow',
    hint: 'send a shorter conversation',
  },
  { signs: ['5xx'], code: 'upstream' },
  { signs: ['4xx'], code: 'rejected' },
  { signs: [/\brequest timed out\b/i], code: 'timeout' },
  {
    signs: [
      'network',
      /\bunable to connect\b|\bconnection (?:error\b|to the api was)|\bECONN\w+|\bENOTFOUND\b|\bEAI_AGAIN\b/i,
    ],
    code: 'unreachable',
    hint: 'check the network, proxy variables and ANTHROPIC_BASE_URL',
  },
  { signs: ['max_output_tokens'], code: 'upstream', kind: 'truncated', hint: 'allow more output tokens' },
  {
    signs: ['error_max_turns', 'error_max_budget_usd'],
    code: 'upstream',
    kind: 'truncated',
    hint: 'raise the limit in extra_args',
  },
];

/** What the program writes to its standard error when it does not even begin. */
export const startRules: readonly FailureRule[] = [
  {
    signs: [/unknown option '(-[^']+)'/],
    code: 'rejected',
    kind: 'bad_option',
    hint: ({ command, match }) =>
      `run: ${command} update; or remove the option of the provider that sets ${match?.[1]}`,
  },
  {
    signs: [/cannot be used with root/i],
    code: 'rejected',
    kind: 'permission_blocked',
    hint: 'run drivebay as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1',
  },
  {
    signs: [/piped stdin input exceeds/i],
    code: 'invalid_request',
    kind: 'context_overflow',
    param: 'messages',
    hint: 'send a shorter conversation',
  },
  {
    signs: [/argument '.*' is invalid|argument missing|^Error: .*(?<![\w-])--[a-z]/],
    code: 'rejected',
    kind: 'bad_option',
    hint: 'correct extra_args, or the option of the provider that sets it',
  },
];
