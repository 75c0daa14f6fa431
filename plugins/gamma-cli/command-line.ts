import { matchesFlag } from '../_shared/cli/matches-flag';
import type { Cli } from './cli';
import type { Options } from './options';

/** What differs from call to call. */
export interface Run {
  cli: Cli;
  model?: string | undefined;
  /** Whether the CLI may act, not only talk. */
  hasTools: boolean;
}

const EXCLUDE = '--exclude-tools';
/** The tools that Qwen Code has even when it is told to be bare; there is no flag for "none". */
const BARE_TOOLS = 'edit,run_shell_command,notebook_edit,get_goal,update_goal,read_file';

/** An argument of ours, and the ways to write its flag. */
type Argument = [names: string[], ...values: string[]];

/** The arguments of one run. The prompt is not among them: without one, the CLI reads its standard input. */
export function commandLine(options: Options, run: Run): string[] {
  const { extra_args: extra } = options;
  const ours = [
    // It says more than `json`, and earlier; and the whole of a long answer in one write would be cut when the CLI exits.
    [['--output-format', '-o'], 'stream-json'] satisfies Argument,
    ...(run.model === undefined ? [] : [[['-m', '--model'], run.model] satisfies Argument]),
    ...(run.cli.dialect === 'qwen' ? qwenArguments(options, run) : geminiArguments(run)),
  ];
  // Given twice, a flag becomes a list of values, which the CLI does not expect, but for the tools that a chat goes without.
  const missing = ours.filter(
    ([names]) => names[0] === EXCLUDE || !extra.some((argument) => matchesFlag(argument, names)),
  );
  return [...missing.flatMap(([names, ...values]) => [names[0]!, ...values]), ...extra];
}

function geminiArguments({ cli, hasTools }: Run): Argument[] {
  if (hasTools) return cli.flags.has('--approval-mode') ? [[['--approval-mode', '-y', '--yolo'], 'yolo']] : [];
  return cli.flags.has('--extensions') ? [[['--extensions', '-e'], 'none']] : [];
}

function qwenArguments({ api_key_env: keyName }: Options, { cli, hasTools }: Run): Argument[] {
  const all: Argument[] = [[['--include-partial-messages']]];
  if (keyName) all.push([['--auth-type'], 'openai']);
  if (!hasTools) all.push([['--bare']], [[EXCLUDE], BARE_TOOLS]);
  // Without the flag, newer versions ask a model whether a tool may run.
  all.push([['--approval-mode', '-y', '--yolo'], hasTools ? 'yolo' : 'default']);
  return all.filter(([[name]]) => cli.flags.has(name!));
}
