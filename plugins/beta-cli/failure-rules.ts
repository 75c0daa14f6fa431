import type { FailureRule } from '../_shared/cli/explain-by-rules';

/** The words of the CLI, from public reports about builds of 2025 and 2026. */
export const failureRules: readonly FailureRule[] = [
  {
    kind: 'untrusted_workspace',
    signs: [/Workspace Trust Required/i],
    hint: ({ command }) => `run ${command} once in that folder and trust it; or update the CLI: ${command} update`,
  },
  {
    kind: 'login_required',
    signs: [
      /\bnot logged in\b|\bnot authenticated\b|Authentication required|\[unauthenticated\]/i,
      /API key is invalid|invalid API key|\b(?:agent|cursor-agent) login\b/i,
    ],
    hint: ({ command }) => `run: ${command} login`,
  },
  { kind: 'auth', signs: [/\[permission_denied\]/i], hint: ({ command }) => `run: ${command} login` },
  {
    kind: 'model_unavailable',
    signs: [/Named models unavailable|plans? can only use Auto/i],
    hint: 'set default_model: auto, or upgrade the plan',
  },
  {
    kind: 'model_unavailable',
    signs: [/Cannot use this model|\bmodel\b.{0,80}\bnot (?:available|found)\b/i],
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; those of your account: ${command} models`,
  },
  {
    kind: 'usage_limit',
    signs: [/hit your (?:usage|free requests) limit|\busage limit (?:reached|exceeded)\b/i],
    hint: 'wait for the end of the billing cycle, raise the limit at cursor.com/dashboard, or use another provider',
  },
  { kind: 'rate_limited', signs: [429, /\[resource_exhausted\]|\brate limit|\btoo many requests\b/i] },
  {
    kind: 'unreachable',
    signs: [
      /Connection (?:stalled|lost)|\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|NETUNREACH|HOSTUNREACH|TIMEDOUT)\b|fetch failed/,
    ],
  },
  { kind: 'timeout', signs: [/\[deadline_exceeded\]/i] },
  { kind: 'rejected', signs: [/\[(?:invalid_argument|failed_precondition|out_of_range|not_found)\]/i] },
  {
    kind: 'upstream',
    signs: [/\[(?:unavailable|internal|unknown|aborted|data_loss)\]|ConnectError|WritableIterable is closed/i],
    hint: 'try again',
  },
];

export const startRules: readonly FailureRule[] = [
  {
    kind: 'bad_option',
    signs: [/unknown option '(-[^'\s]+)|option '(-[^'\s]+)[^']*' argument '[^']*' is invalid/i],
    hint: ({ command }) => `update the CLI: ${command} update (${command} --version shows what is there)`,
  },
];
