import type { FailureRule, HintFacts } from '../_shared/cli/failure-rule';

const logIn = ({ command, keyName }: HintFacts): string =>
  keyName === undefined ? `run: ${command} login` : `check the key in ${keyName}`;

/**
 * The CLI's words for each kind of failure; the first that fits counts. They are sentences for people and change: patterns are
 * as short as they can be without meaning something else. Taken from public reports about builds of 2025 and 2026.
 */
export const failureRules: readonly FailureRule[] = [
  {
    pattern: /unknown option '(-[^'\s]+)|option '(-[^'\s]+)[^']*' argument '[^']*' is invalid/i,
    code: 'not_installed',
    kind: 'bad_option',
    hint: ({ command }) => `update the CLI: ${command} update (${command} --version shows what is there)`,
  },
  {
    pattern: /Workspace Trust Required/i,
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it; or update the CLI: ${command} update`,
  },
  {
    pattern: /keychain is locked/i,
    code: 'auth',
    kind: 'login_required',
    hint: () => 'run: security unlock-keychain; or name the variable of an API key in api_key_env',
  },
  {
    pattern:
      /\bnot logged in\b|\bnot authenticated\b|Authentication required|\[unauthenticated\]|API key is invalid|invalid API key|\b(?:agent|cursor-agent) login\b/i,
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  { pattern: /\[permission_denied\]/i, code: 'auth', kind: 'auth', hint: logIn },
  {
    pattern: /unpaid invoice|payment (?:failed|required)/i,
    code: 'auth',
    kind: 'billing',
    hint: () => 'settle it at cursor.com/dashboard, or use another provider',
  },
  {
    pattern: /Named models unavailable|plans? can only use Auto/i,
    code: 'rejected',
    kind: 'model_unavailable',
    hint: () => 'set default_model: auto, or upgrade the plan',
  },
  {
    pattern: /Cannot use this model|\bmodel\b.{0,80}\bnot (?:available|found|supported)\b|model unavailable/i,
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; those of your account: ${command} models`,
  },
  {
    pattern: /hit your (?:usage|free requests) limit|\bout of usage\b|\busage limit (?:reached|exceeded)\b/i,
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: () =>
      'wait for the end of the billing cycle, raise the limit at cursor.com/dashboard, or use another provider',
  },
  {
    pattern: /\[resource_exhausted\]|\brate limit|\btoo many requests\b|\bstatus:? 429\b/i,
    code: 'rate_limited',
    kind: 'rate_limited',
    hint: () => 'try again in a minute',
  },
  {
    pattern: /\boverloaded\b|\bhigh demand\b|\bat capacity\b/i,
    code: 'upstream',
    kind: 'overloaded',
    hint: () => 'try again in a minute, or use another model',
  },
  {
    pattern: /\bprompt is too long\b|\b(?:maximum context|context length|context window)\b/i,
    code: 'rejected',
    kind: 'context_overflow',
    hint: () => 'shorten the conversation, or use a model with a larger context window',
  },
  {
    pattern:
      /Connection (?:stalled|lost|refused|failed)|\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|NETUNREACH|HOSTUNREACH|TIMEDOUT)\b|fetch failed/,
    code: 'unreachable',
    kind: 'unreachable',
    hint: () => 'check the network connection and the proxy variables of the daemon',
  },
  { pattern: /\[deadline_exceeded\]/i, code: 'timeout', kind: 'timeout' },
  {
    pattern: /\[(?:invalid_argument|failed_precondition|out_of_range|not_found)\]/i,
    code: 'rejected',
    kind: 'rejected',
  },
  {
    pattern: /\[(?:unavailable|internal|unknown|aborted|data_loss)\]|ConnectError|WritableIterable is closed/i,
    code: 'upstream',
    kind: 'upstream',
    hint: () => 'try again',
  },
];
