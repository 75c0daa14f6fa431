import { classify, failureRules } from '../../../plugins/alpha-cli/failure-rules';
import type { FailedRun, FailureReport } from '../../../plugins/_shared/cli/explain-by-rules';
import { explain as explainBy } from '../recordings';

const explain = (report: FailureReport, run: Partial<FailedRun> = {}) =>
  explainBy(failureRules, classify(report, run.keyName !== undefined), { name: 'claude', command: 'claude', ...run });

// What no recording has.
it.each<[code: string, kind: string, report: FailureReport]>([
  ['auth', 'login_required', { text: 'OAuth token has expired' }],
  ['auth', 'billing', { status: 402, class: 'billing_error', text: 'Credit balance is too low' }],
  ['rate_limited', 'rate_limited', { status: 429, text: 'Busy. This is not your usage limit.' }],
  ['rate_limited', 'usage_limit', { text: "You've hit your limit · resets 1am" }],
  ['rate_limited', 'usage_limit', { text: 'You’ve hit your limit · resets 1am' }],
  ['rate_limited', 'usage_limit', { text: 'Claude AI usage limit reached|4102444800' }],
  ['rate_limited', 'usage_limit', { text: '5-hour limit reached ∙ resets 3pm' }],
  ['rate_limited', 'usage_limit', { resetsAt: 4_102_444_800, text: 'x' }],
  ['rejected', 'context_overflow', { status: 400, text: 'API Error: 400 prompt is too long: 9 > 8' }],
  ['rejected', 'context_overflow', { class: 'prompt_too_long' }],
  ['unreachable', 'unreachable', { class: 'server_error', text: 'API Error: Unable to connect to API (Refused)' }],
  ['unreachable', 'unreachable', { text: 'API Error: Connection to the API was lost (ECONNRESET)' }],
  ['upstream', 'truncated', { class: 'error_max_turns', text: 'Reached maximum number of turns (1)' }],
  // Another status speaks for itself.
  ['rejected', 'rejected', { status: 400, text: 'API Error: 400 token limit reached' }],
  ['upstream', 'overloaded', { status: 529, resetsAt: 4_102_444_800, text: 'API Error: 529' }],
  // Words that only look like a cause.
  ['upstream', 'upstream', { text: 'The monkey author used the context menu: keyboard limit' }],
  ['upstream', 'upstream', {}],
])('%s, kind %s: %j', (code, kind, report) => {
  expect(explain(report)).toMatchObject({ code, kind, status: report.status });
});

it('says when a limit is reset, or how long the program would wait', () => {
  const resetsAt = Math.ceil(Date.now() / 1000) + 5 * 3600;
  const { retryAfterS, hint } = explain({ text: `usage limit reached|${resetsAt}` });
  expect(Math.abs((retryAfterS ?? 0) - 5 * 3600)).toBeLessThan(3);
  expect(hint).toContain(new Date(resetsAt * 1000).toISOString());
  expect(explain({ status: 429, retryAfterS: 90 }).retryAfterS).toBe(90);
});

it('names the command that logs in, or the variable that holds the key', () => {
  expect(explain({ status: 401 }).hint).toMatch(/run: claude auth login.*api_key_env.*"local"/);
  const refused = explain({ status: 401 }, { keyName: 'MY_KEY' });
  expect(refused).toMatchObject({ kind: 'auth', hint: 'check the key in MY_KEY' });
});

it('quotes the program, and no more than a page of it', () => {
  expect(explain({ text: ' API Error: 500 x\n', status: 500 }).message).toBe('claude: API Error: 500 x');
  expect(explain({ text: 'x'.repeat(1e6) }).message.length).toBeLessThan(1_100);
});
