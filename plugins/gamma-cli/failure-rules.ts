import type { FailureReport, FailureRule, HintFacts } from '../_shared/cli/explain-by-rules';
import { countOf, type Fields, fieldsOf, isFields, textOf } from '../_shared/fields';

const logIn = ({ command, keyName }: HintFacts): string =>
  keyName === undefined
    ? `run ${command} in a terminal and log in, or name the variable of an API key in api_key_env`
    : `check the key in ${keyName}`;

/** The words of Gemini CLI 0.61 and Qwen Code 0.15 and 0.24, and of the vendors behind them. */
export const failureRules: readonly FailureRule[] = [
  {
    signs: [/Qwen OAuth free tier has been discontinued/i],
    code: 'auth',
    kind: 'login_required',
    hint: ({ command }) => `run ${command} in a terminal, and choose another way to pay with /auth`,
  },
  {
    signs: [
      'exit 41',
      /set an Auth method|No auth type is selected|Manual authorization is required|Invalid auth method/i,
      /API key (?:not valid|expired|not found)|API_KEY_INVALID|Incorrect API key|invalid_api_key/i,
      /invalid authentication credentials|\bUNAUTHENTICATED\b/i,
    ],
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    signs: [/maximum context length|context_length_exceeded|exceeds the maximum number of tokens/i],
    code: 'rejected',
    kind: 'context_overflow',
    hint: 'shorten the conversation, or use a model with a larger context window',
  },
  {
    signs: [
      /exhausted your (?:daily quota|capacity|quota)|exceeded your current quota|insufficient_quota/i,
      /quota will reset|Qwen OAuth quota exceeded/i,
    ],
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: 'wait until the quota is renewed, or use another model or provider',
  },
  {
    signs: [/\bRESOURCE_EXHAUSTED\b|Resource has been exhausted|rate limit|too many requests/i],
    code: 'rate_limited',
    hint: 'try again in a minute',
  },
  {
    signs: [/is not found for API version|ModelNotFound|model_not_found|\bmodel\b.{0,80}\bdoes not exist/i],
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ model }) => `check the model name${model === undefined ? '' : ` "${model}"`}`,
  },
  {
    signs: [/\boverloaded\b|\bUNAVAILABLE\b/i],
    code: 'upstream',
    kind: 'overloaded',
    hint: 'try again in a minute, or use another model',
  },
  { signs: [/\bPERMISSION_DENIED\b|caller does not have permission/i], code: 'auth', hint: logIn },
  {
    signs: ['exit 55', /not running in a trusted directory/i],
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it`,
  },
  {
    signs: ['exit 52', /^Error in (\S.*settings\.json): /],
    code: 'not_installed',
    kind: 'program_config',
    hint: ({ match }) => `correct ${match?.[1] ?? '~/.gemini/settings.json'}`,
  },
  {
    signs: [/fetch failed|Connection error|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT/],
    code: 'unreachable',
    hint: 'check the network connection and the proxy variables of the daemon',
  },
  { signs: [/wall-clock budget/i], code: 'timeout' },
  { signs: [/\bempty response\b/i], code: 'upstream', kind: 'empty' },
  { signs: [/\bterminated\b/i], code: 'upstream', kind: 'truncated' },
  {
    signs: ['torn'],
    code: 'protocol',
    kind: 'truncated',
    hint: 'it may lose the end of a long answer: send the request again, or ask for a shorter one',
  },
  { signs: [401], code: 'auth', kind: 'login_required' },
  { signs: [403], code: 'auth' },
  { signs: [429], code: 'rate_limited' },
  { signs: ['4xx'], code: 'rejected' },
];

/** Takes the vendor's words out of what the CLIs wrap them in: `[API Error: {"error": {...}}]`, `[API Error: 401 ...]`. */
export function unwrapReport(message: string, exitStatus?: number): FailureReport {
  const inner = /^\[API Error: ([^]*)\]/.exec(message.trim())?.[1] ?? message.trim();
  const body = errorIn(inner.slice(Math.max(0, inner.indexOf('{')), inner.lastIndexOf('}') + 1));
  const text = textOf(body.message);
  if (text !== undefined) {
    const unwrapped = unwrapReport(text);
    const status = countOf(body.code) || countOf(body.status) || unwrapped.status || exitStatus;
    return { text: unwrapped.text, words: `${text} ${message}`, status };
  }
  const [, code, rest] = /^([45]\d\d) (?:status code )?([^]+)$/.exec(inner) ?? [];
  return { text: rest ?? inner, words: message, status: code === undefined ? exitStatus : Number(code) };
}

function errorIn(text: string): Fields {
  try {
    const value = fieldsOf(JSON.parse(text));
    return isFields(value.error) ? value.error : value;
  } catch {
    return {};
  }
}
