import { diagnosed, topic } from '../../setup/diagnosed';

const entry = { driver: 'beta-cli', command: 'cursor-agent' };
const VERSION = `--version) echo "2026.07.09-a3815c0";;`;
const HELP = `--help) printf 'Commands:\\n  status  View authentication status\\n';;`;

test.each([
  ['Not logged in', 'broken'],
  ['Logged in as me@example.com', 'ok'],
])('"%s" is %s, and nobody is named', async (said, severity) => {
  const findings = await diagnosed(entry, `${VERSION}${HELP} status) echo "${said}";;`);
  expect(topic(findings, 'version')).toMatchObject({
    severity: 'ok',
    message: expect.stringContaining('2026.07.09-a3815c0'),
  });
  expect(topic(findings, 'login')).toMatchObject({ severity });
  expect(JSON.stringify(findings)).not.toContain('me@example.com');
});

test('a version without the command is not asked', async () => {
  const findings = await diagnosed(entry, `${VERSION} --help) echo usage;; *) echo "Not logged in";;`);
  expect(topic(findings, 'login')).toBeUndefined();
});
