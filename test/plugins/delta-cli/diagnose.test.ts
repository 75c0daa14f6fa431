import { diagnosed, topic } from '../../setup/diagnosed';

const entry = { driver: 'delta-cli', command: 'codex' };
const VERSION = `--version) echo "WARNING: no aliases" >&2; echo "codex-cli 0.169.0";;`;

test.each([
  ['Not logged in', 'broken', 'codex is not logged in'],
  ['Logged in using ChatGPT', 'ok', 'logged in using ChatGPT'],
  ['Logged in using an API key - sk-proj-***ABCDE', 'ok', 'logged in using an API key'],
])('"%s" is %s, without a part of the key', async (said, severity, message) => {
  const findings = await diagnosed(entry, `${VERSION} "login status") echo "${said}" >&2;;`);
  expect(topic(findings, 'version')).toMatchObject({ message: expect.stringMatching(/^codex 0\.169\.0 /) });
  expect(topic(findings, 'login')).toMatchObject({ severity, message });
});

test('with a key of the provider the login does not matter', async () => {
  const environment = { MY_KEY: 'sk-planted-key-0123456789' };
  const findings = await diagnosed(
    { ...entry, api_key_env: 'MY_KEY' },
    `${VERSION} "login status") echo "Not logged in";;`,
    { environment },
  );
  expect(topic(findings, 'login')).toBeUndefined();
  expect(topic(findings, 'billing')).toMatchObject({ severity: 'ok', message: 'pays with the key in MY_KEY' });
});

test('no sandbox is a warning', async () => {
  expect(topic(await diagnosed(entry, VERSION), 'sandbox')).toMatchObject({ severity: 'ok' });
  const open = await diagnosed({ ...entry, sandbox_mode: 'danger-full-access' }, VERSION);
  expect(topic(open, 'sandbox')).toMatchObject({ severity: 'warning' });
});
