import { diagnosed, topic } from '../../setup/diagnosed';

const entry = { driver: 'alpha-cli', command: 'claude' };
const VERSION = `--version) echo "2.1.197 (Claude Code)";;`;
const HELP = `--help) printf 'Commands:\\n  auth   Manage authentication\\n';;`;
const status = (fields: object, code = 0) => `"auth status") echo '${JSON.stringify(fields)}'; exit ${code};;`;

test('version and login, as the program tells them', async () => {
  const said = status({ loggedIn: true, authMethod: 'claude.ai', subscriptionType: 'max', email: 'me@example.com' });
  const findings = await diagnosed(entry, VERSION + HELP + said);
  expect(topic(findings, 'version')).toMatchObject({
    severity: 'ok',
    message: expect.stringMatching(/^claude 2\.1\.197 /),
  });
  expect(topic(findings, 'login')).toEqual({ topic: 'login', severity: 'ok', message: 'logged in (claude.ai, max)' });
  expect(JSON.stringify(findings)).not.toContain('me@example.com');
});

test('a program that is not logged in is broken, with the command that logs it in', async () => {
  const findings = await diagnosed(entry, VERSION + HELP + status({ loggedIn: false, authMethod: 'none' }, 1));
  expect(topic(findings, 'login')).toMatchObject({
    severity: 'broken',
    fix: expect.stringContaining('claude auth login'),
  });
});

test('a version without the command is not asked: it would take the words for a prompt', async () => {
  const findings = await diagnosed(
    entry,
    `${VERSION} --help) echo "Usage: claude [prompt]";; *) echo '{"loggedIn":true}';;`,
  );
  expect(topic(findings, 'login')).toBeUndefined();
});

test('a program that does not answer is a warning', async () => {
  const findings = await diagnosed(entry, `*) exit 3;;`);
  expect(topic(findings, 'version')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('exit code 3'),
  });
});

test('what its tools may do is said, unless they ask', async () => {
  expect(topic(await diagnosed(entry, VERSION), 'permission')).toMatchObject({ severity: 'note' });
  expect(topic(await diagnosed({ ...entry, permission_mode: 'plan' }, VERSION), 'permission')).toBeUndefined();
});
