import { clashes, toCommandLine, type CommandLineParts } from '../../../plugins/alpha-cli/command-line';
import { explainClashes } from '../../../plugins/_shared/cli/extra-args';

const FLAGS = [
  ...['--include-partial-messages', '--add-dir', '--permission-mode', '--tools', '--safe-mode'],
  ...['--strict-mcp-config', '--no-session-persistence'],
];

const build = (parts: Partial<CommandLineParts> = {}) =>
  toCommandLine({
    ...{ flags: new Set(FLAGS), permissionMode: 'bypassPermissions', directories: [], hasTools: false, extraArgs: [] },
    ...parts,
  });

it('is that of a chat without tools', () => {
  expect(build().join(' ')).toBe(
    '-p --tools  --output-format stream-json --verbose --include-partial-messages --no-session-persistence ' +
      '--safe-mode --permission-mode bypassPermissions',
  );
});

it('is that of an agent with everything', () => {
  const args = build({
    ...{ hasTools: true, directories: ['/a b', '/c'], model: 'opus', effort: 'HIGH', file: '/s.txt' },
    extraArgs: ['--max-turns', '3', '--debug'],
  });
  expect(args).toEqual([
    ...['-p', '--add-dir', '/a b', '--add-dir', '/c', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--no-session-persistence', '--permission-mode', 'bypassPermissions'],
    ...['--model', 'opus', '--effort', 'HIGH', '--append-system-prompt-file', '/s.txt', '--max-turns', '3', '--debug'],
  ]);
});

it('has no optional flag for a program whose help names none', () => {
  const args = build({ flags: new Set(), directories: ['/a'] });
  expect(args).toEqual(['-p', '--output-format', 'stream-json', '--verbose']);
});

it('leaves the permission mode out when it is empty, and passes "default" as such', () => {
  expect(build({ permissionMode: '' })).not.toContain('--permission-mode');
  expect(build({ permissionMode: 'default' }).join(' ')).toContain('--permission-mode default');
});

it('keeps MCP servers away from a chat where the program has no safe mode', () => {
  expect(build({ flags: new Set(['--strict-mcp-config']) })).toContain('--strict-mcp-config');
  expect(build({ hasTools: true })).not.toContain('--strict-mcp-config');
});

it('replaces the system prompt of a chat', () => {
  expect(build({ file: '/s.txt' }).join(' ')).toContain('--system-prompt-file /s.txt');
});

describe('extra_args', () => {
  it.each([
    ...['-p', '--print', '--output-format', '--output-format=text', '--model=x'],
    ...['--permission-mode', '-c', '--resume'],
  ])('that clash are found: %s', (flag) =>
    expect(explainClashes(['--debug', flag], clashes)).toEqual([expect.stringContaining(flag.split('=')[0]!)]),
  );

  it.each([[['--max-turns', '3']], [['--mcp-config', '/m.json', 'text']], [['toString', '--constructor']]])(
    'that do not are left alone: %j',
    (args) => expect(explainClashes(args, clashes)).toEqual([]),
  );
});
