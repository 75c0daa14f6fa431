import type { FailureReport, FailureRule } from '../_shared/cli/explain-by-rules';
import { fieldsIn, fieldsOf, textOf } from '../_shared/fields';

/** The words of the CLI, as of 0.169; older ones where they are known. */
export const failureRules: readonly FailureRule[] = [
  {
    kind: 'missing_key',
    signs: [/Missing environment variable: `?(\w+)/i],
    hint: ({ match }) =>
      `your Codex configuration wants ${match?.[1]}: set it and start drivebay again, or name it in api_key_env if another ` +
      'provider uses it too',
  },
  {
    kind: 'usage_limit',
    signs: [/To use Codex with your ChatGPT plan/i],
    hint: ({ command }) => `upgrade the plan, or run ${command} login with another account`,
  },
  { kind: 'billing', signs: [402] },
  { kind: 'usage_limit', signs: [/hit your usage limit|Quota exceeded|insufficient_quota/i] },
  { kind: 'rate_limited', signs: [429, /rate limit (?:exceeded|reached)/i] },
  {
    kind: 'login_required',
    signs: [401, /Not logged in|sign in again|run `?codex login|refresh token/i],
    hint: ({ command }) => `run: ${command} login`,
  },
  {
    kind: 'auth',
    signs: [403],
    hint: ({ command }) => `the account that is logged in may not do this; see which it is: ${command} login status`,
  },
  { kind: 'context_overflow', signs: [/ran out of room|context[_ ](?:length|window)[ _]exceeded/i] },
  { kind: 'overloaded', signs: [/high demand|at capacity|\boverloaded\b/i] },
  {
    kind: 'model_unavailable',
    signs: [/model\b.*\b(?:does not exist|is not (?:supported|available))|model_not_found|requires a newer version/i],
    hint: ({ command, model }) =>
      `check the model name${model === undefined ? '' : ` "${model}"`}; ${command} shows those of your account with /model`,
  },
  {
    kind: 'unreachable',
    signs: [
      /^Connection failed|error sending request|waiting for network|Connection refused|failed to lookup address/i,
    ],
  },
  { kind: 'timeout', signs: [/idle timeout|request timed out/i] },
  { kind: 'upstream', signs: ['5xx', /internal server error/i] },
  { kind: 'content_filter', signs: [/reason: content_filter/i] },
  { kind: 'truncated', signs: [/stream disconnected|Incomplete response/i] },
  { kind: 'rejected', signs: ['4xx', 'answer'] },
];

/** What the CLI writes to its standard error when it does not even begin. */
export const startRules: readonly FailureRule[] = [
  { kind: 'context_overflow', code: 'invalid_request', signs: [/Input exceeds the maximum length/], param: 'messages' },
  {
    kind: 'bad_option',
    signs: [
      /^error: (?:unexpected argument '([^']+)'|invalid value '[^']*' for '(--[\w-]+)|.*'(--[\w-]+)[^']*' cannot be used)/,
    ],
    hint: ({ command }) => `update the CLI: npm install -g @openai/codex (${command} --version shows what is there)`,
  },
  { kind: 'untrusted_workspace', signs: [/^Not inside a trusted directory/] },
  {
    kind: 'program_config',
    signs: [/^Error:? .*(?:(?:loading|finding|reading) (?:config|codex home)|Model provider `|\bconfig\.toml\b)/i],
    hint: ({ command }) =>
      `correct the configuration of the CLI (~/.codex/config.toml); ${command} login status tries it`,
  },
];

/** The message inside of the body of an error answer: what the backend says about a request comes as the bare body. */
export function unwrapReport(report: FailureReport): FailureReport {
  const { text = '' } = report;
  if (!text.startsWith('{')) return report;
  const body = fieldsIn(text);
  if (Object.keys(body).length === 0) return report;
  const words =
    textOf(fieldsOf(body.error).message) ?? textOf(body.error) ?? textOf(body.detail) ?? textOf(body.message);
  return { ...report, text: words ?? text, class: 'answer' };
}
