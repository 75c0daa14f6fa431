import { matchesFlag, type Clashes } from '../_shared/cli/extra-args';
import { SERVER_FLAG } from './agent-servers';
import type { Cli } from './cli';
import type { Options } from './environment';

interface RunKind {
  cli: Cli;
  model?: string;
  /** Whether the CLI may act, not only talk. */
  hasTools: boolean;
  /** Whether it stays for many chats, in the Agent Client Protocol. */
  isAcp?: boolean;
  /** The arguments that go on with a session of its own. */
  resume?: readonly string[];
  /** The file with the tool servers of an agent. */
  serverFile?: string;
}

const EXCLUDE = '--exclude-tools';
/** The tools that Qwen Code has even with `--bare`. There is no flag for "none". */
const BARE_TOOLS = 'edit,run_shell_command,notebook_edit,get_goal,update_goal,read_file';

/** Flags of `extra_args` that change what the driver relies on. */
export const clashes: Clashes = [
  [
    ['--output-format', '-o'],
    'takes the place of stream-json: answers come late, long ones are cut, "text" never works',
  ],
  [['--model', '-m'], 'wins over the model of every request: set default_model of the provider'],
  [['--prompt', '-p'], 'is added to the prompt of every request'],
  [['--prompt-interactive', '-i'], 'starts a session that needs a terminal: remove it'],
  [['--input-format'], 'makes the CLI take the prompt for something else: remove it'],
  [['--acp', '--experimental-acp'], 'makes the CLI speak another protocol: remove it'],
  [
    ['--resume', '-r', '--continue', '-c', '--session-id', '--session-file'],
    'mixes the conversations of all requests: remove it',
  ],
];

/** An argument of the driver, and the ways to write its flag. */
type Argument = [names: string[], ...values: string[]];

/** The arguments of one run. The CLI reads the prompt from its standard input. */
export function commandLine({ extra_args: extra, api_key_env: keyName }: Options, run: RunKind): string[] {
  // It says more than `json`, and earlier. The CLI loses the end of a long answer that it writes at once when it exits.
  const ours: Argument[] = [run.isAcp ? [['--acp']] : [['--output-format', '-o'], 'stream-json']];
  if (run.model !== undefined) ours.push([['-m', '--model'], run.model]);
  ours.push(...(run.cli.dialect === 'qwen' ? qwenArguments(run, Boolean(keyName)) : geminiArguments(run)));
  // A flag that is given twice becomes a list of values, which only the tools that a chat goes without may be.
  const missing = ours.filter(
    ([names]) => names[0] === EXCLUDE || !extra.some((argument) => matchesFlag(argument, names)),
  );
  return [...missing.flatMap(([names, ...values]) => [names[0]!, ...values]), ...extra, ...(run.resume ?? [])];
}

function geminiArguments({ cli, hasTools }: RunKind): Argument[] {
  if (hasTools) return cli.flags.has('--approval-mode') ? [[['--approval-mode', '-y', '--yolo'], 'yolo']] : [];
  return cli.flags.has('--extensions') ? [[['--extensions', '-e'], 'none']] : [];
}

function qwenArguments({ cli, hasTools, isAcp, serverFile }: RunKind, paysByKey: boolean): Argument[] {
  const all: Argument[] = isAcp ? [] : [[['--include-partial-messages']]];
  if (paysByKey) all.push([['--auth-type'], 'openai']);
  if (serverFile !== undefined) all.push([[SERVER_FLAG], serverFile]);
  if (!hasTools) all.push([['--bare']], [[EXCLUDE], BARE_TOOLS]);
  // Without the flag, newer versions ask a model whether a tool may run.
  all.push([['--approval-mode', '-y', '--yolo'], hasTools ? 'yolo' : 'default']);
  return all.filter(([[name]]) => cli.flags.has(name!));
}
