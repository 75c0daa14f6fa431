import type { ExitStatus } from 'drivebay/plugin';
import type { FailureReport, FailureRule } from '../_shared/cli/explain-by-rules';
import { countOf, fieldsIn, fieldsOf, isFields, textOf } from '../_shared/fields';

/** The words of Gemini CLI 0.61 and Qwen Code 0.15 and 0.24, and of the vendors behind them. */
export const failureRules: readonly FailureRule[] = [
  {
    // Gemini CLI says so where GOOGLE_GEMINI_BASE_URL is set and its settings choose nothing, whatever key it has.
    kind: 'program_config',
    signs: [/Invalid auth method/i],
    hint: 'GOOGLE_GEMINI_BASE_URL is set: name a key in api_key_env, and for agents set security.auth.selectedType to "gemini-api-key" in ~/.gemini/settings.json',
  },
  {
    kind: 'login_required',
    signs: [/Qwen OAuth free tier has been discontinued/i],
    hint: ({ command }) => `run ${command} in a terminal, and choose another way to pay with /auth`,
  },
  {
    kind: 'login_required',
    signs: [
      'exit 41',
      'login',
      /set an Auth method|No auth type is selected|Manual authorization is required/i,
      /API key (?:not valid|expired|not found)|API_KEY_INVALID|Incorrect API key|invalid_api_key/i,
      /invalid authentication credentials|\bUNAUTHENTICATED\b/i,
    ],
    hint: ({ command }) => `run ${command} in a terminal and log in, or name the variable of an API key in api_key_env`,
  },
  {
    kind: 'context_overflow',
    signs: ['overflow', /maximum context length|context_length_exceeded|exceeds the maximum number of tokens/i],
  },
  {
    kind: 'usage_limit',
    signs: [
      /exhausted your (?:daily quota|capacity|quota)|exceeded your current quota|insufficient_quota/i,
      /quota will reset|Qwen OAuth quota exceeded/i,
    ],
  },
  { kind: 'rate_limited', signs: [/\bRESOURCE_EXHAUSTED\b|Resource has been exhausted|rate limit|too many requests/i] },
  {
    kind: 'model_unavailable',
    signs: [/is not found for API version|ModelNotFound|model_not_found|\bmodel\b.{0,80}\bdoes not exist/i],
  },
  { kind: 'overloaded', signs: [/\boverloaded\b|\bUNAVAILABLE\b/i] },
  {
    kind: 'auth',
    signs: [/\bPERMISSION_DENIED\b|caller does not have permission/i],
    hint: 'use another account or key',
  },
  { kind: 'untrusted_workspace', signs: ['exit 55', /not running in a trusted directory/i] },
  {
    kind: 'program_config',
    signs: ['exit 52', /^Error in (\S.*settings\.json): /],
    hint: ({ match }) => `correct ${match?.[1] ?? '~/.gemini/settings.json'}`,
  },
  {
    kind: 'unreachable',
    signs: [/fetch failed|Connection error|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT/],
  },
  { kind: 'timeout', signs: [/wall-clock budget/i] },
  { kind: 'empty', signs: [/\bempty response\b/i] },
  { kind: 'truncated', signs: [/\bterminated\b/i] },
  {
    kind: 'truncated',
    code: 'protocol',
    signs: ['torn'],
    hint: 'it may lose the end of a long answer: send the request again, or ask for a shorter one',
  },
  { kind: 'login_required', signs: [401] },
  { kind: 'billing', signs: [402] },
  { kind: 'auth', signs: [403] },
  { kind: 'rate_limited', signs: [429] },
  { kind: 'rejected', signs: ['4xx'] },
];

/** What the CLI says of an argument that it does not take. */
export const startRules: readonly FailureRule[] = [
  {
    signs: [/^Unknown arguments?: (\S+?),?(?: .*)?$|^Not enough arguments following: (\S+)$|^Invalid values:$/],
    kind: 'bad_option',
    hint: 'update the CLI: npm install -g @google/gemini-cli (Qwen Code: @qwen-code/qwen-code)',
  },
];

/** Its exit code for a failure of the API is the HTTP status, of which a system keeps the last eight bits. */
export function statusOf({ code }: ExitStatus): number | undefined {
  const status = (code ?? 0) + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}

/** The message of the JSON object at the end of the standard error: there an output that is `json` has its errors. */
export function trailingMessage(stderr: string): string | undefined {
  const start = stderr.lastIndexOf('\n{\n') + 1;
  return stderr.startsWith('{', start) ? textOf(fieldsOf(fieldsIn(stderr.slice(start)).error).message) : undefined;
}

/** Takes the vendor's words out of what the CLIs wrap them in: `[API Error: {"error": {...}}]`, `[API Error: 401 ...]`. */
export function unwrapReport(message: string, exitStatus?: number): FailureReport {
  const inner = /^\[API Error: ([^]*)\]/.exec(message.trim())?.[1] ?? message.trim();
  const found = fieldsIn(inner);
  const body = isFields(found.error) ? found.error : found;
  const text = textOf(body.message);
  if (text !== undefined) {
    const unwrapped = unwrapReport(text);
    const status = countOf(body.code) || countOf(body.status) || unwrapped.status || exitStatus;
    return { text: unwrapped.text, words: `${text} ${message}`, status };
  }
  const [, code, rest] = /^([45]\d\d) (?:status code )?([^]+)$/.exec(inner) ?? [];
  return { text: rest ?? inner, words: message, status: code === undefined ? exitStatus : Number(code) };
}
