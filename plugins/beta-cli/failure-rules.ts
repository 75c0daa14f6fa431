import type { FailureRule, HintFacts } from '../_shared/cli/explain-by-rules';

const logIn = ({ command, keyName }: HintFacts): string =>
  keyName === undefined ? `run: ${command} login` : `check the key in ${keyName}`;

/** The words of the CLI, from public reports about builds of 2025 and 2026. */
export const failureRules: readonly FailureRule[] = [
  {
    signs: [/Workspace Trust Required/i],
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it; or update the CLI: ${command} update`,
  },
  {
    signs: [
      /\bnot logged in\b|\bnot authenticated\b|Authentication required|\[unauthenticated\]/i,
      /API key is invalid|invalid API key|\b(?:agent|cursor-agent) login\b/i,
    ],
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  { signs: [/\[permission_denied\]/i], code: 'auth', hint: logIn },
  {
    signs: [/Named models unavailable|plans? can only use Auto/i],
    code: 'rejected',
    kind: 'model_unavailable',
    hint: 'set default_model: auto, or upgrade the plan',
  },
  {
    signs: [/Cannot use this model|\bmodel\b.{0,80}\bnot (?:available|found)\b/i],
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; those of your account: ${command} models`,
  },
  {
    signs: [/hit your (?:usage|free requests) limit|\busage limit (?:reached|exceeded)\b/i],
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: 'wait for the end of the billing cycle, raise the limit at cursor.com/dashboard, or use another provider',
  },
  {
    signs: [429, /\[resource_exhausted\]|\brate limit|\btoo many requests\b/i],
    code: 'rate_limited',
    hint: 'try again in a minute',
  },
  {
    signs: [
      /Connection (?:stalled|lost)|\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|NETUNREACH|HOSTUNREACH|TIMEDOUT)\b|fetch failed/,
    ],
    code: 'unreachable',
    hint: 'check the network connection and the proxy variables of the daemon',
  },
  { signs: [/\[deadline_exceeded\]/i], code: 'timeout' },
  { signs: [/\[(?:invalid_argument|failed_precondition|out_of_range|not_found)\]/i], code: 'rejected' },
  {
    signs: [/\[(?:unavailable|internal|unknown|aborted|data_loss)\]|ConnectError|WritableIterable is closed/i],
    code: 'upstream',
    hint: 'try again',
  },
];

export const startRules: readonly FailureRule[] = [
  {
    signs: [/unknown option '(-[^'\s]+)|option '(-[^'\s]+)[^']*' argument '[^']*' is invalid/i],
    code: 'not_installed',
    kind: 'bad_option',
    hint: ({ command }) => `update the CLI: ${command} update (${command} --version shows what is there)`,
  },
];
