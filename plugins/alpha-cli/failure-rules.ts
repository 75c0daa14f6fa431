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

const logIn = ({ command, provider }: HintFacts): string =>
  `run: ${command} auth login; or, to pay by API key, set api_key_env: ANTHROPIC_API_KEY for provider "${provider}"`;

/** The classes, statuses and words of claude 2.1. */
export const failureRules: readonly FailureRule[] = [
  { kind: 'usage_limit', signs: ['usage_limit'] },
  {
    kind: 'billing',
    signs: [402, 'billing_error'],
    hint: 'add credit to the account of the API key, or use the subscription',
  },
  { kind: 'auth', signs: [403, 'key_refused'], hint: logIn },
  {
    kind: 'login_required',
    signs: [
      401,
      'authentication_failed',
      /\bnot logged in\b|\bplease run \/login\b|\binvalid (?:api key|bearer token)\b/i,
      /\boauth token\b[^.]*\b(?:expired|revoked)\b/i,
    ],
    hint: logIn,
  },
  {
    kind: 'model_unavailable',
    signs: [404, 'model_not_found'],
    hint: ({ model }) =>
      `${model === undefined ? 'set default_model' : `use another model than "${model}"`}: opus, sonnet and haiku name the latest ones`,
  },
  { kind: 'rate_limited', signs: [429, 'rate_limit'] },
  { kind: 'overloaded', signs: [529, 'overloaded', /\boverloaded\b/i] },
  { kind: 'context_overflow', signs: [413, 'prompt_too_long', /\bprompt is too long\b|\binput length\b/i] },
  { kind: 'upstream', signs: ['5xx'] },
  { kind: 'rejected', signs: ['4xx'] },
  { kind: 'timeout', signs: [/\brequest timed out\b/i] },
  {
    kind: 'unreachable',
    signs: [
      'network',
      /\bunable to connect\b|\bconnection (?:error\b|to the api was)|\bECONN\w+|\bENOTFOUND\b|\bEAI_AGAIN\b/i,
    ],
    hint: 'check the network, proxy variables and ANTHROPIC_BASE_URL',
  },
  {
    kind: 'truncated',
    signs: ['max_output_tokens', 'error_max_turns', 'error_max_budget_usd'],
    hint: 'raise the limit: max_tokens, or that in extra_args',
  },
];

/** What the program writes to its standard error when it does not even begin. */
export const startRules: readonly FailureRule[] = [
  {
    kind: 'bad_option',
    code: 'rejected',
    signs: [/unknown option '(-[^']+)'/],
    hint: ({ command, match }) =>
      `run: ${command} update; or remove the option of the provider that sets ${match?.[1]}`,
  },
  {
    kind: 'permission_blocked',
    signs: [/cannot be used with root/i],
    hint: 'run drivebay as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1',
  },
  { kind: 'context_overflow', code: 'invalid_request', signs: [/piped stdin input exceeds/i], param: 'messages' },
  {
    kind: 'bad_option',
    code: 'rejected',
    signs: [/argument '.*' is invalid|argument missing|^Error: .*(?<![\w-])--[a-z]/],
    hint: 'correct extra_args, or the option of the provider that sets it',
  },
];
