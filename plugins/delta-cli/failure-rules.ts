import type { FailureReport, FailureRule, HintFacts } from '../_shared/cli/explain-by-rules';
import { fieldsOf, textOf } from '../_shared/fields';

const logIn = ({ command, keyName }: HintFacts): string =>
  keyName === undefined ? `run: ${command} login` : `check the key in ${keyName}`;

/** The words of the CLI, as of 0.169; older ones where they are known. */
export const failureRules: readonly FailureRule[] = [
  {
    signs: [/Missing environment variable: `?(\w+)/i],
    code: 'auth',
    kind: 'missing_key',
    hint: ({ match }) =>
      `your Codex configuration wants ${match?.[1]}: set it and start drivebay again, or name it in api_key_env if another ` +
      'provider uses it too',
  },
  {
    signs: [/To use Codex with your ChatGPT plan/i],
    code: 'rate_limited',
    kind: 'usage_limit',
    hint: ({ command }) => `upgrade the plan, or run ${command} login with another account`,
  },
  {
    signs: [402, /hit your usage limit|Quota exceeded|insufficient_quota/i],
    code: 'rate_limited',
    kind: 'usage_limit',
  },
  { signs: [429, /rate limit (?:exceeded|reached)/i], code: 'rate_limited' },
  {
    signs: [401, /Not logged in|sign in again|run `?codex login|refresh token/i],
    code: 'auth',
    kind: 'login_required',
    hint: logIn,
  },
  {
    signs: [403],
    code: 'auth',
    hint: ({ command, keyName }) =>
      `${keyName === undefined ? 'the account that is logged in' : `the key in ${keyName}`} may not do this; ` +
      `see who is logged in: ${command} login status`,
  },
  {
    signs: [/ran out of room|context[_ ](?:length|window)[ _]exceeded/i],
    code: 'rejected',
    kind: 'context_overflow',
    hint: 'shorten the conversation, or use a model with a larger context window',
  },
  {
    signs: [/high demand|at capacity|\boverloaded\b/i],
    code: 'upstream',
    kind: 'overloaded',
    hint: 'try again in a minute, or use another model',
  },
  {
    signs: [/model\b.*\b(?:does not exist|is not (?:supported|available))|model_not_found|requires a newer version/i],
    code: 'rejected',
    kind: 'model_unavailable',
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; ${command} shows those of your account with /model`,
  },
  {
    signs: [
      /^Connection failed|error sending request|waiting for network|Connection refused|failed to lookup address/i,
    ],
    code: 'unreachable',
    hint: 'check the network connection and the proxy variables of the daemon',
  },
  { signs: [/idle timeout|request timed out/i], code: 'timeout' },
  { signs: ['5xx', /internal server error/i], code: 'upstream' },
  { signs: [/reason: content_filter/i], code: 'rejected', kind: 'content_filter' },
  { signs: [/stream disconnected|Incomplete response/i], code: 'upstream', kind: 'truncated' },
  { signs: ['4xx', 'answer'], code: 'rejected' },
];

/** What the CLI writes to its standard error when it does not even begin. */
export const startRules: readonly FailureRule[] = [
  {
    signs: [/Input exceeds the maximum length of (\d+) characters/],
    code: 'invalid_request',
    kind: 'context_overflow',
    param: 'messages',
    hint: 'shorten the conversation',
  },
  {
    signs: [
      /^error: (?:unexpected argument '([^']+)'|invalid value '[^']*' for '(--[\w-]+)|.*'(--[\w-]+)[^']*' cannot be used)/,
    ],
    code: 'not_installed',
    kind: 'bad_option',
    hint: ({ command }) => `update the CLI: npm install -g @openai/codex (${command} --version shows what is there)`,
  },
  {
    signs: [/^Not inside a trusted directory/],
    code: 'rejected',
    kind: 'untrusted_workspace',
    hint: ({ command }) => `run ${command} once in that folder and trust it`,
  },
  {
    signs: [/^Error:? .*(?:(?:loading|finding|reading) (?:config|codex home)|Model provider `|\bconfig\.toml\b)/i],
    code: 'not_installed',
    kind: 'program_config',
    hint: ({ command }) =>
      `correct the configuration of the CLI (~/.codex/config.toml); ${command} login status tries it`,
  },
];

/** The message inside of the body of an error answer: what the backend says about a request comes as the bare body. */
export function unwrapReport(report: FailureReport): FailureReport {
  const { text = '' } = report;
  if (!text.startsWith('{')) return report;
  try {
    const body = fieldsOf(JSON.parse(text));
    const words =
      textOf(fieldsOf(body.error).message) ?? textOf(body.error) ?? textOf(body.detail) ?? textOf(body.message);
    return { ...report, text: words ?? text, class: 'answer' };
  } catch {
    return report;
  }
}
