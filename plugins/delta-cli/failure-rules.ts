import type { DriverErrorCode, ErrorKind } from 'drivebay/plugin';

/** What a rule's hint may speak of. */
export interface HintFacts {
  /** The program, as the user would type it. */
  command: string;
  /** The variable that `api_key_env` names. */
  keyName: string | undefined;
  model: string | undefined;
  /** What the pattern caught. */
  match: RegExpExecArray;
}

export interface FailureRule {
  pattern: RegExp;
  code: DriverErrorCode;
  kind: ErrorKind;
  hint?: (facts: HintFacts) => string;
}

const logIn = ({ command, keyName }: HintFacts) =>
  keyName === undefined ? `run: ${command} login` : `check the key in ${keyName}`;

/**
 * The CLI's words for each kind of failure; the first that fits counts. They are sentences for people and change: patterns are
 * as short as they can be without meaning something else. Texts as of 0.169; older ones where they are known.
 */
export const failureRules: readonly FailureRule[] = [
  {
    pattern: /Missing environment variable: `?(\w+)/i,
    code: 'auth',
    kind: 'missing_key',
    hint: ({ match }) =>
      `your Codex configuration wants ${match[1]}: set it and start drivebay again, or name it in api_key_env if another ` +
      'provider uses it too',
  },
  { pattern: /hit your usage limit/i, code: 'rate_limited', kind: 'usage_limit' },
  {
    pattern: /To use Codex with your ChatGPT plan/i,
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: ({ command }) => `upgrade the plan, or run ${command} login with another account`,
  },
  {
    pattern: /Quota exceeded|insufficient_quota|status 402\b|out of credits/i,
    code: 'rate_limited',
    kind: 'usage_limit',
  },
  { pattern: /\bstatus:? 429\b|rate limit (?:exceeded|reached)/i, code: 'rate_limited', kind: 'rate_limited' },
  {
    pattern: /\bstatus 401\b|Not logged in|(?:log out and )?sign in again|run `?codex login|refresh token/i,
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    pattern: /\bstatus 403\b/i,
    code: 'auth',
    kind: 'auth',
    hint: ({ command, keyName }) =>
      `${keyName === undefined ? 'the account that is logged in' : `the key in ${keyName}`} may not do this; ` +
      `see who is logged in: ${command} login status`,
  },
  {
    pattern: /ran out of room|context[_ ](?:length|window)[ _]exceeded/i,
    code: 'rejected',
    kind: 'context_overflow',
    hint: () => 'shorten the conversation, or use a model with a larger context window',
  },
  {
    pattern: /high demand|at capacity|\boverloaded\b/i,
    code: 'upstream',
    kind: 'overloaded',
    hint: () => 'try again in a minute, or use another model',
  },
  {
    pattern: /model\b.*\b(?:does not exist|is not (?:supported|available))|model_not_found|requires a newer version/i,
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; ${command} shows those of your account with /model`,
  },
  {
    pattern:
      /^Connection failed|error sending request|waiting for network|Connection refused|failed to lookup address/i,
    code: 'unreachable',
    kind: 'unreachable',
    hint: () => 'check the network connection and the proxy variables of the daemon',
  },
  { pattern: /idle timeout|request timed out/i, code: 'timeout', kind: 'timeout' },
  { pattern: /\bstatus:? 5\d\d\b|internal server error/i, code: 'upstream', kind: 'upstream' },
  { pattern: /stream disconnected/i, code: 'upstream', kind: 'truncated' },
  { pattern: /reason: content_filter/i, code: 'rejected', kind: 'content_filter' },
  { pattern: /Incomplete response/i, code: 'upstream', kind: 'truncated' },
  { pattern: /\bstatus:? 4\d\d\b/i, code: 'rejected', kind: 'rejected' },
];

/** For what the CLI writes to its standard error when it does not even begin. */
export const startRules: readonly FailureRule[] = [
  {
    pattern: /unexpected argument '([^']+)'|invalid value '[^']*' for '(--[\w-]+)|'(--[\w-]+)[^']*' cannot be used/,
    code: 'not_installed',
    kind: 'bad_option',
    hint: ({ command }) => `update the CLI: npm install -g @openai/codex (${command} --version shows what is there)`,
  },
  {
    pattern: /Not inside a trusted directory/,
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it`,
  },
  {
    pattern:
      /(?:Error (?:loading|finding|reading) (?:config|codex home)|Model provider `[^`]*` not found|\bconfig\.toml\b)/i,
    code: 'not_installed',
    kind: 'program_config',
    hint: ({ command }) =>
      `correct the configuration of the CLI (~/.codex/config.toml); ${command} login status tries it`,
  },
];
