import { commandLine } from '../../../plugins/delta-cli/command-line';
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
