import { classify, failureRules } from '../../../plugins/alpha-cli/failure-rules';
import { explainByRules, type FailedRun, type FailureReport } from '../../../plugins/_shared/cli/explain-by-rules';
import { makeDriverError } from '../../../core/contract/driver-error';

const RUN = {
  path: '/bin/claude',
  name: 'claude',
  command: 'claude',
  provider: 'local',
  extraArgs: [],
  hasActed: false,
};

const explain = (report: FailureReport, run: Partial<FailedRun> = {}) =>
  explainByRules({ error: makeDriverError }, failureRules, classify(report, run.keyName !== undefined), {
    ...RUN,
    model: 'opus',
    ...run,
  });

it.each<[FailureReport, object]>([
  [
    { status: 401, text: 'Invalid API key · Fix external API key' },
    { code: 'auth', kind: 'login_required' },
  ],
  [{ text: 'Not logged in · Please run /login' }, { code: 'auth', kind: 'login_required' }],
  [{ text: 'OAuth token has expired' }, { code: 'auth', kind: 'login_required' }],
  [
    { status: 403, text: 'Failed to authenticate' },
    { code: 'auth', kind: 'auth' },
  ],
  [
    { status: 402, class: 'billing_error', text: 'Credit balance is too low' },
    { code: 'auth', kind: 'billing' },
  ],
  [
    { status: 404, class: 'model_not_found', text: 'x' },
    { code: 'rejected', kind: 'model_unavailable' },
  ],
  [
    { status: 429, text: 'This request would exceed your rate limit.' },
    { code: 'rate_limited', kind: 'rate_limited' },
  ],
  [
    { status: 429, retryAfterS: 90 },
    { code: 'rate_limited', retryAfterS: 90 },
  ],
  [
    { status: 429, text: 'Busy. This is not your usage limit.' },
    { code: 'rate_limited', kind: 'rate_limited' },
  ],
  [{ text: "You've hit your limit · resets 1am" }, { code: 'rate_limited', kind: 'usage_limit' }],
  [{ text: 'You’ve hit your limit · resets 1am' }, { code: 'rate_limited', kind: 'usage_limit' }],
  [{ text: 'Claude AI usage limit reached|4102444800' }, { code: 'rate_limited', kind: 'usage_limit' }],
  [{ text: '5-hour limit reached ∙ resets 3pm' }, { code: 'rate_limited', kind: 'usage_limit' }],
  [
    { resetsAt: 4_102_444_800, text: 'x' },
    { code: 'rate_limited', kind: 'usage_limit' },
  ],
  [
    { status: 529, text: 'API Error: 529' },
    { code: 'upstream', kind: 'overloaded', status: 529 },
  ],
  [{ text: 'API Error: Overloaded' }, { code: 'upstream', kind: 'overloaded' }],
  [
    { status: 500, text: 'API Error: 500' },
    { code: 'upstream', kind: 'upstream', status: 500 },
  ],
  [
    { status: 400, text: 'API Error: 400 prompt is too long: 9 > 8' },
    { code: 'rejected', kind: 'context_overflow' },
  ],
  [{ class: 'prompt_too_long' }, { code: 'rejected', kind: 'context_overflow' }],
  [
    { status: 413, text: 'Request too large' },
    { code: 'rejected', kind: 'context_overflow' },
  ],
  [{ status: 400, text: 'API Error: 400 messages: invalid' }, { code: 'rejected' }],
  [
    { class: 'network', text: 'the API cannot be reached' },
    { code: 'unreachable', kind: 'unreachable' },
  ],
  [{ class: 'server_error', text: 'API Error: Unable to connect to API (ConnectionRefused)' }, { code: 'unreachable' }],
  [{ text: 'API Error: Connection to the API was lost (ECONNRESET)' }, { code: 'unreachable' }],
  [{ text: 'Request timed out' }, { code: 'timeout' }],
  [
    { class: 'error_max_turns', text: 'Reached maximum number of turns (1)' },
    { code: 'upstream', kind: 'truncated' },
  ],
  // Another status speaks for itself.
  [
    { status: 400, text: 'API Error: 400 token limit reached' },
    { code: 'rejected', kind: 'rejected' },
  ],
  [
    { status: 529, resetsAt: 4_102_444_800, text: 'API Error: 529' },
    { code: 'upstream', kind: 'overloaded' },
  ],
  // Words that only look like a cause.
  [{ text: 'The monkey author used the context menu: keyboard limit' }, { code: 'upstream', kind: 'upstream' }],
  [{}, { code: 'upstream' }],
])('%j', (report, error) => {
  expect(explain(report)).toMatchObject(error);
});

it('says when a limit is reset', () => {
  const resetsAt = Math.ceil(Date.now() / 1000) + 5 * 3600;
  const { retryAfterS, hint } = explain({ text: `usage limit reached|${resetsAt}` });
  expect(Math.abs((retryAfterS ?? 0) - 5 * 3600)).toBeLessThan(3);
  expect(hint).toContain(new Date(resetsAt * 1000).toISOString());
});

it('names the command that logs in, or the variable that holds the key', () => {
  expect(explain({ status: 401 }).hint).toMatch(/run: claude auth login.*api_key_env.*"local"/);
  const refused = explain({ status: 401 }, { keyName: 'MY_KEY' });
  expect([refused.kind, refused.hint]).toEqual(['auth', 'check the key in MY_KEY']);
});

it('quotes the program, and no more than a page of it', () => {
  expect(explain({ text: ' API Error: 500 x\n', status: 500 }).message).toBe('claude: API Error: 500 x');
  expect(explain({ text: 'x'.repeat(1e6) }).message.length).toBeLessThan(2_100);
});

it('says whether an agent may have acted', () => {
  expect(explain({}, { hasActed: true }).sideEffects).toBe(true);
});
