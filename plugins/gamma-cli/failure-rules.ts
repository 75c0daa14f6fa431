import type { FailureRule, HintFacts } from '../_shared/cli/failure-rule';

export const logIn = ({ command, keyName }: Pick<HintFacts, 'command' | 'keyName'>): string =>
  keyName === undefined
    ? `run ${command} in a terminal and log in, or name the variable of an API key in api_key_env`
    : `check the key in ${keyName}`;

/**
 * The words of the CLIs, and of the vendors behind them, for each kind of failure; the first that fits counts. Texts of
 * Gemini CLI 0.61 and Qwen Code 0.15 and 0.24.
 */
export const failureRules: readonly FailureRule[] = [
  {
    pattern: /Qwen OAuth free tier has been discontinued/i,
    code: 'auth',
    kind: 'login_required',
    hint: ({ command }) => `run ${command} in a terminal, and choose another way to pay with /auth`,
  },
  {
    pattern:
      /set an Auth method|No auth type is selected|Manual authorization is required|Invalid auth method|Error authenticating|Please (?:run|use) .{0,20}\/auth\b|enforced authentication type/i,
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    pattern:
      /API key (?:not valid|expired|not found)|API_KEY_INVALID|Incorrect API key|invalid authentication credentials|\bUNAUTHENTICATED\b|invalid_api_key|invalid_grant/i,
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    pattern:
      /maximum context length|context_length_exceeded|exceeds the maximum number of tokens|input token count .{0,40}exceeds/i,
    code: 'rejected',
    kind: 'context_overflow',
    hint: () => 'shorten the conversation, or use a model with a larger context window',
  },
  {
    pattern:
      /exhausted your (?:daily quota|capacity|quota)|exceeded your current quota|insufficient_quota|quota will reset|Qwen OAuth quota exceeded|allocated quota exceeded|\bG1_CREDITS\b/i,
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: () => 'wait until the quota is renewed, or use another model or provider',
  },
  {
    pattern: /\bRESOURCE_EXHAUSTED\b|Resource has been exhausted|rate limit|too many requests/i,
    code: 'rate_limited',
    kind: 'rate_limited',
    hint: () => 'try again in a minute',
  },
  {
    pattern:
      /is not found for API version|ModelNotFound|model_not_found|\bmodel\b.{0,80}\b(?:does not exist|is not supported)/i,
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ model }) => `check the model name${model === undefined ? '' : ` "${model}"`}`,
  },
  {
    pattern: /\boverloaded\b|\bUNAVAILABLE\b|high demand|at capacity/i,
    code: 'upstream',
    kind: 'overloaded',
    hint: () => 'try again in a minute, or use another model',
  },
  { pattern: /\bPERMISSION_DENIED\b|caller does not have permission/i, code: 'auth', kind: 'auth', hint: logIn },
  {
    pattern: /not running in a trusted directory|folder is not trusted/i,
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it`,
  },
  {
    pattern: /^Error in (\S.*settings\.json): /,
    code: 'not_installed',
    kind: 'program_config',
    hint: ({ match }) => `correct ${match[1] ?? 'the settings of the CLI'}`,
  },
  {
    pattern: /YOLO mode.{0,40}(?:disabled|not allowed)|yolo.{0,80}root/i,
    code: 'rejected',
    kind: 'permission_blocked',
    hint: () => 'name another mode in extra_args, for example --approval-mode=auto_edit (Qwen Code: auto-edit)',
  },
  {
    pattern: /fetch failed|Connection error|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT/,
    code: 'unreachable',
    kind: 'unreachable',
    hint: () => 'check the network connection and the proxy variables of the daemon',
  },
  { pattern: /wall-clock budget/i, code: 'timeout', kind: 'timeout' },
  { pattern: /blocked due to/i, code: 'rejected', kind: 'content_filter' },
  { pattern: /\bempty response\b/i, code: 'upstream', kind: 'empty' },
  { pattern: /\bterminated\b|other side closed|stream ended/i, code: 'upstream', kind: 'truncated' },
];

/** What an HTTP status means where the words do not say it. */
export function ruleOfStatus(status: number | undefined): Pick<FailureRule, 'code' | 'kind'> {
  if (status === 401 || status === 403) return { code: 'auth', kind: status === 401 ? 'login_required' : 'auth' };
  if (status === 429) return { code: 'rate_limited', kind: 'rate_limited' };
  if (status !== undefined && status >= 400 && status < 500) return { code: 'rejected', kind: 'rejected' };
  return { code: 'upstream', kind: 'upstream' };
}
