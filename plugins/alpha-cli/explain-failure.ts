import type { DriverContext, DriverErrorCode, DriverErrorDetails, DriverFailure } from 'drivebay/plugin';
import { findResetTime } from './reset-time';
import type { RunReport } from './run-report';

/** A limit of the subscription, which waiting for a moment does not help. A mere throttle says that it is none. */
const USAGE_LIMIT =
  /\b(?:usage|session|weekly|daily|hourly|5-hour|opus|sonnet)\s+limit\b|\bhit your\b[^.]*\blimit\b|\blimit reached\b/i;
const NO_USAGE_LIMIT = /\bnot (?:your|a|the) (?:usage )?limit\b|\bnot your usage limit\b/i;
const LOGIN =
  /\bnot logged in\b|\bplease run \/login\b|\binvalid (?:api key|bearer token)\b|\boauth token\b[^.]*\b(?:expired|revoked)\b/i;
const NETWORK =
  /\bunable to connect\b|\bconnection (?:to the api )?(?:was |error|refused|reset|lost|closed)|\bECONN\w+|\bENOTFOUND\b|\bEAI_AGAIN\b|\bcertificate\b/i;
const TIMED_OUT = /\brequest timed out\b/i;
const TOO_LONG = /\bprompt is too long\b|\bcontext (?:window|length|limit)\b|\binput length\b/i;

const MAX_WORDS = 2_000;

interface Verdict extends DriverErrorDetails {
  code: DriverErrorCode;
}

export interface FailureParts {
  report: RunReport;
  /** The program's name, for the message. */
  name: string;
  model?: string | undefined;
  keyName?: string | undefined;
  sideEffects: boolean;
}

/** The error for a failure that the program has reported itself. */
export function explainFailure({ error, provider }: DriverContext, parts: FailureParts): DriverFailure {
  const { report, name, sideEffects } = parts;
  const { code, ...details } = judge(parts, provider);
  const status = report.status;
  const words = report.text?.trim().slice(0, MAX_WORDS) || fallbackWords(report);
  return error(code, `${name}: ${words}`, { ...details, sideEffects, ...(status !== undefined && { status }) });
}

function judge(parts: FailureParts, provider: string): Verdict {
  const { report, name, model } = parts;
  const { text = '', status, class: kind } = report;
  // Another status speaks for itself, whatever words come with it.
  const mayBeLimit = status === undefined || status === 403 || status === 429;
  if (mayBeLimit && (report.resetsAt !== undefined || (USAGE_LIMIT.test(text) && !NO_USAGE_LIMIT.test(text)))) {
    return usageLimit(report);
  }
  if (status === 402 || kind === 'billing_error') {
    return { code: 'auth', kind: 'billing', hint: 'add credit to the account of the API key, or use the subscription' };
  }
  if (status === 401 || status === 403 || kind === 'authentication_failed' || LOGIN.test(text)) {
    return login(parts, provider);
  }
  if (status === 404 || kind === 'model_not_found') {
    const named = model === undefined ? 'set default_model' : `use another model than "${model}"`;
    return {
      code: 'rejected',
      kind: 'model_unavailable',
      hint: `${named}: opus, sonnet and haiku name the latest ones`,
    };
  }
  if (status === 429 || kind === 'rate_limit') {
    const retryAfterS = report.retryDelayS;
    return { code: 'rate_limited', kind: 'rate_limited', ...(retryAfterS ? { retryAfterS } : {}) };
  }
  if (status === 529 || kind === 'overloaded' || /\boverloaded\b/i.test(text)) {
    return { code: 'upstream', kind: 'overloaded', hint: 'try again in a moment' };
  }
  if (kind === 'prompt_too_long' || TOO_LONG.test(text)) {
    return { code: 'rejected', kind: 'context_overflow', hint: 'send a shorter conversation' };
  }
  if (status === 413) return { code: 'rejected', kind: 'context_overflow', hint: 'send a shorter conversation' };
  if (status !== undefined) return status >= 500 ? { code: 'upstream', kind: 'upstream' } : { code: 'rejected' };
  if (TIMED_OUT.test(text)) return { code: 'timeout', kind: 'timeout' };
  if (kind === 'network' || NETWORK.test(text)) {
    return {
      code: 'unreachable',
      kind: 'unreachable',
      hint: 'check the network, proxy variables and ANTHROPIC_BASE_URL',
    };
  }
  if (kind === 'max_output_tokens') return { code: 'upstream', kind: 'truncated', hint: 'allow more output tokens' };
  if (kind === 'error_max_turns' || kind === 'error_max_budget_usd') {
    return { code: 'upstream', kind: 'truncated', hint: `raise the limit in extra_args of ${name}` };
  }
  return { code: 'upstream' };
}

function usageLimit({ text = '', resetsAt }: RunReport): Verdict {
  const now = Date.now();
  const at = resetsAt === undefined ? findResetTime(text, now) : resetsAt * 1000;
  const seconds = at === undefined ? undefined : Math.max(1, Math.ceil((at - now) / 1000));
  return {
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: `wait until ${at === undefined ? 'the limit is reset' : new Date(at).toISOString()}, or use another provider`,
    ...(seconds !== undefined && { retryAfterS: seconds }),
  };
}

function login({ report, name, keyName }: FailureParts, provider: string): Verdict {
  const kind = report.status === 403 ? 'auth' : 'login_required';
  if (keyName !== undefined) return { code: 'auth', kind: 'auth', hint: `check the key in ${keyName}` };
  const hint = `run: ${name} auth login; or, to pay by API key, set api_key_env: ANTHROPIC_API_KEY for provider "${provider}"`;
  return { code: 'auth', kind, hint };
}

function fallbackWords({ status, class: kind }: RunReport): string {
  if (kind === 'network') return 'the API cannot be reached';
  return `the run failed${status === undefined ? '' : ` with status ${status}`}${kind ? ` (${kind})` : ''}`;
}
