import { type CliStep, HANG } from 'drivebay/testing';
import { isHelp, start } from './harness';
import { result } from './lines';

let harness: Awaited<ReturnType<typeof start>>;
afterEach(() => harness.close());

const ALL_FALSE = { cap_partial_messages: 'false', cap_add_dir: 'false', cap_permission_mode: 'false' };
const ANSWER = [result('Hello')];

const script = (help: CliStep[]) => harness.script(ANSWER, (run) => (isHelp(run) ? help : undefined));
const probes = () => harness.cli.runs.filter(({ argv }) => argv.includes('--help'));

it('are asked for exactly once, also by many chats at the same time', async () => {
  harness = await start();
  await Promise.all([harness.chat(), harness.chat(), harness.driver.metadata()]);
  await harness.chat();
  expect(probes().map(({ argv }) => argv)).toEqual([['-p', '--help']]);
});

it.each([
  ['the whole flag only', ['  --add-dirs <x>  --no-permission-mode', '  --include-partial-messages'], 'true', 'false'],
  ['flags with a value', ['--add-dir=<directories...>, --permission-mode <mode>'], 'false', 'true'],
])('are %s', async (_, help, partial, others) => {
  harness = await start();
  script(help);
  expect(await harness.driver.metadata()).toMatchObject({
    ...{ cap_partial_messages: partial, cap_add_dir: others, cap_permission_mode: others },
  });
});

it('are all false when the help fails, with a warning that says what to do', async () => {
  harness = await start();
  script(['--add-dir --permission-mode --include-partial-messages', { exit: 3 }]);
  expect(await harness.text()).toBe('Hello');
  expect(await harness.driver.metadata()).toMatchObject(ALL_FALSE);
  expect(harness.warnings).toEqual([
    expect.stringMatching(/-p --help" failed \(.*exit code 3\).*asks again within a minute/),
  ]);
  const shut = ['--tools', '', '--output-format', 'stream-json', '--verbose', '--safe-mode'];
  expect(harness.run.argv).toEqual(['-p', ...shut, '--model', 'm']);
});

it('are asked for again when the help was ended by a signal', async () => {
  harness = await start();
  script([HANG]);
  const first = harness.driver.metadata();
  await harness.cli.until(() => probes().length === 1);
  process.kill(probes()[0]!.pid, 'SIGKILL');
  expect(await first).toMatchObject(ALL_FALSE);
  script(['--add-dir']);
  expect(await harness.driver.metadata()).toMatchObject({ cap_add_dir: 'true' });
});

it('are all false when the help does not end within 5 s, nothing of it is left, and a chat has no tools all the same', async () => {
  harness = await start();
  script(['--add-dir', HANG]);
  expect(await harness.driver.metadata()).toMatchObject(ALL_FALSE);
  await harness.untilGone();
  await harness.chat();
  expect(harness.run.argv.join(' ')).toContain('--tools  --output-format stream-json --verbose --safe-mode');
  await harness.chat({}, { workspace: harness.workspace });
  expect(harness.chats[1]!.argv.join(' ')).not.toMatch(/--(?:tools|safe-mode)/);
});

it('do not hold a chat that was canceled, and go on for the others', async () => {
  harness = await start();
  let answer = (): void => undefined;
  script([new Promise<void>((resolve) => (answer = resolve)), '--add-dir']);
  const abort = new AbortController();
  const canceled = harness.failure({}, { signal: abort.signal });
  const other = harness.text();
  await harness.cli.until(() => probes().length === 1);
  abort.abort(new Error('left'));
  expect((await canceled).message).toBe('left');
  answer();
  expect(await other).toBe('Hello');
  expect(harness.chats).toHaveLength(1);
});

it('that are missed are named once, each with the reason and a way out', async () => {
  harness = await start();
  script(['--version']);
  await harness.chat();
  await harness.chat({}, { workspace: { skills: [{ name: 's', directory: '/s' }], first: true } });
  expect(harness.warnings).toEqual([
    'claude has no --include-partial-messages: answers arrive whole; run: claude update',
    expect.stringMatching(/no --permission-mode.*run: claude update, or set permission_mode: ""/),
    expect.stringMatching(/no --tools/),
    expect.stringMatching(/no --add-dir/),
  ]);
});

it('are not missed where nothing needs them', async () => {
  harness = await start({ permission_mode: '' });
  script(['--include-partial-messages --tools']);
  await harness.chat();
  expect(harness.warnings).toEqual([]);
});
