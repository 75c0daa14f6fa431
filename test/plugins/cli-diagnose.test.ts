import { diagnosed, topic } from '../setup/diagnosed';

const CLAUDE = { driver: 'alpha-cli', command: 'claude' };
const CURSOR = { driver: 'beta-cli', command: 'cursor-agent' };
const GEMINI = { driver: 'gamma-cli', command: 'gemini' };
const CODEX = { driver: 'delta-cli', command: 'codex' };
/** What the programs say of themselves, as cases of a shell script. */
const SAYS: Record<string, string> = {
  claude: `--version) echo "2.1.197 (Claude Code)";; --help) printf 'Commands:\\n  auth   Manage authentication\\n';;`,
  'cursor-agent': `--version) echo "2026.07.09-a3815c0";; --help) printf 'Commands:\\n  status  View status\\n';;`,
  gemini: `--version) echo "0.61.0";;`,
  codex: `--version) echo "WARNING: no aliases" >&2; echo "codex-cli 0.169.0";;`,
};
const auth = (fields: object, code = 0) => `"auth status") echo '${JSON.stringify(fields)}'; exit ${code};;`;
const status = (said: string) => `status) echo "${said}";;`;
const loginStatus = (said: string) => `"login status") echo "${said}" >&2;;`;

const diagnosedIn: typeof diagnosed = (entry, script, surroundings) =>
  diagnosed(entry, `${SAYS[entry.command]} ${script}`, surroundings);

test.each([
  [CLAUDE, 'claude 2.1.197 '],
  [CURSOR, 'cursor-agent 2026.07.09-a3815c0 '],
  [GEMINI, 'gemini 0.61.0 '],
  [CODEX, 'codex 0.169.0 '],
])('the version of %j is what the program says', async (entry, version) => {
  const found = topic(await diagnosedIn(entry, ''), 'version');
  expect([found?.severity, found?.message.startsWith(version)]).toEqual(['ok', true]);
});

test.each([
  ['exit 3', 'claude --version ends with exit code 3, without a version'],
  ['kill -9 $$', 'claude --version is ended by a signal, without a version'],
])('a program that tells no version (%s) is a warning', async (script, message) => {
  expect(topic(await diagnosed(CLAUDE, `*) ${script};;`), 'version')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining(message),
  });
});

const ME = { loggedIn: true, authMethod: 'claude.ai', subscriptionType: 'max', email: 'me@example.com' };

test.each([
  [CLAUDE, auth(ME), 'ok', 'logged in (claude.ai, max)'],
  [CLAUDE, auth({ loggedIn: false, authMethod: 'none' }, 1), 'broken', 'claude is not logged in'],
  [CURSOR, status('Not logged in'), 'broken', 'cursor-agent is not logged in'],
  [CURSOR, status('Logged in as me@example.com'), 'ok', 'logged in'],
  [CODEX, loginStatus('Not logged in'), 'broken', 'codex is not logged in'],
  [CODEX, loginStatus('Logged in using ChatGPT'), 'ok', 'logged in using ChatGPT'],
  [CODEX, loginStatus('Logged in using an API key - sk-proj-***ABCDE'), 'ok', 'logged in using an API key'],
])('the login of %j, %s, is %s: %s', async (entry, script, severity, message) => {
  const findings = await diagnosedIn(entry, script);
  expect(topic(findings, 'login')).toMatchObject({ severity, message });
  // The output of doctor is shown to others.
  expect(JSON.stringify(findings)).not.toMatch(/me@example|ABCDE/);
});

test.each([CLAUDE, CURSOR])('a version of %j without the command is not asked', async (entry) => {
  const script = `--version) echo 1.0.0;; --help) echo usage;; *) echo '{"loggedIn":true}'; echo "Not logged in";;`;
  expect(topic(await diagnosed(entry, script), 'login')).toBeUndefined();
});

test('the command that logs in is said', async () => {
  const findings = await diagnosedIn(CLAUDE, auth({ loggedIn: false }, 1));
  expect(topic(findings, 'login')?.fix).toBe('run: claude auth login; or set api_key_env');
});

test.each([CLAUDE, CURSOR, GEMINI, CODEX])(
  'with a key of the provider the login of %j does not matter',
  async (entry) => {
    const environment = { MY_KEY: 'planted-key-0123456789' };
    const findings = await diagnosedIn({ ...entry, api_key_env: 'MY_KEY' }, loginStatus('Not logged in'), {
      environment,
    });
    expect(topic(findings, 'login')).toBeUndefined();
    expect(topic(findings, 'billing')).toMatchObject({ severity: 'ok', message: 'pays with the key in MY_KEY' });
    expect(JSON.stringify(findings)).not.toContain('planted');
  },
);

test.each([
  [{ ...CLAUDE, permission_mode: 'bypassPermissions' }, 'permission', 'note'],
  [{ ...CLAUDE, permission_mode: 'plan' }, 'permission', undefined],
  [CODEX, 'sandbox', 'ok'],
  [{ ...CODEX, sandbox_mode: 'danger-full-access' }, 'sandbox', 'warning'],
] as const)('%j: what its tools may do (%s) is a finding of severity %s', async (entry, subject, severity) => {
  expect(topic(await diagnosedIn(entry, ''), subject)?.severity).toBe(severity);
});
