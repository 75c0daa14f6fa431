import { commandLine, explainCodexClashes } from '../../../plugins/delta-cli/command-line';
import { DEFAULTS } from './harness';

const FIXED = ['-c', 'features.unbounded_connection_retries=false', '-c', 'features.plugins=false'];
const FLAGS = ['--json', '--skip-git-repo-check', '--ephemeral'];

test('the prompt is read from the standard input, in the sandbox that the provider names', () => {
  expect(commandLine({ ...DEFAULTS, sandbox_mode: 'read-only' }, { settings: [] })).toEqual([
    ...['exec', '--sandbox', 'read-only', ...FLAGS, ...FIXED, '-'],
  ]);
});

test('an empty sandbox_mode is workspace-write', () => {
  expect(commandLine({ ...DEFAULTS, sandbox_mode: '' }, { settings: [] }).slice(0, 3)).toEqual([
    ...['exec', '--sandbox', 'workspace-write'],
  ]);
});

test('model, settings, effort and extra_args follow, the last ones together and in order', () => {
  const extra_args = ['--add-dir', '/srv/a b', '-c', 'x=1', '--color', 'never'];
  const run = { model: 'gpt-x', effort: 'high', settings: ['features.shell_tool=false'] };
  expect(commandLine({ ...DEFAULTS, extra_args }, run)).toEqual([
    ...['exec', '--sandbox', 'workspace-write', ...FLAGS, '-m', 'gpt-x', ...FIXED],
    ...['-c', 'features.shell_tool=false', '-c', 'model_reasoning_effort="high"', ...extra_args, '-'],
  ]);
});

test.each([
  ['XHigh', '"XHigh"'],
  ['', '""'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['x"\nsandbox_mode = "danger-full-access', '"x\\"\\nsandbox_mode = \\"danger-full-access"'],
  ['\u007f', '"\\u007f"'],
])('the effort %j is one TOML string', (effort, expected) => {
  const args = commandLine(DEFAULTS, { effort, settings: [] });
  expect(args.at(-2)).toBe(`model_reasoning_effort=${expected}`);
});

test('a flag that the user gives already is not given twice', () => {
  const args = commandLine({ ...DEFAULTS, extra_args: ['--ephemeral', '--json'] }, { settings: [] });
  for (const flag of FLAGS) expect(args.filter((argument) => argument === flag)).toHaveLength(1);
});

const explain = (...extra_args: string[]) => explainCodexClashes({ ...DEFAULTS, extra_args });

test.each([
  [['--yolo'], /--yolo silently wins over sandbox_mode/],
  [['--dangerously-bypass-approvals-and-sandbox'], /without any sandbox/],
  [['--sandbox', 'read-only'], /set sandbox_mode/],
  [['--sandbox=read-only'], /set sandbox_mode/],
  [['-s', 'read-only'], /set sandbox_mode/],
  [['-sread-only'], /set sandbox_mode/],
  [['--approve-for-me'], /set sandbox_mode/],
  [['--full-auto'], /gone/],
  [['-c', 'sandbox_mode="read-only"'], /-c sandbox_mode="read-only" has no effect/],
  [['--config=sandbox_mode="read-only"'], /has no effect/],
  [['-m', 'gpt-x'], /set default_model/],
  [['--model=gpt-x'], /set default_model/],
  [['-c', 'model_reasoning_effort=high'], /wins over the effort/],
  [['--help'], /without an answer/],
  [['-V'], /without an answer/],
  [['-'], /takes the place of the prompt/],
])('%j is warned about', (extra, warning) => {
  expect(explain(...extra)).toEqual([expect.stringMatching(warning)]);
});

test('other arguments are the user’s business', () => {
  const harmless = ['--add-dir', '/srv', '-c', 'model_provider="x"', '--color', 'never', '--search', '-p', 'work'];
  expect(explain(...harmless)).toEqual([]);
});
