import type { Clashes } from '../_shared/cli/extra-args';

export interface CommandLineParts {
  /** The flags that the program knows, among those that not every version has. */
  flags: ReadonlySet<string>;
  /** With an empty one the flag is left out. */
  permissionMode: string;
  model?: string;
  effort?: string;
  directories: readonly string[];
  hasTools: boolean;
  /** With the system prompt. */
  file?: string;
  /** Of a program that holds a conversation: the server whose tools it may use. */
  server?: string;
  /** Whether its input stays open for further turns. */
  staysOpen?: boolean;
  extraArgs: readonly string[];
  /** Arguments about the tool servers of an agent. */
  serverArgs?: readonly string[];
  /** Whether the program keeps the session. */
  keepsSession?: boolean;
  /** The session to continue. */
  resume?: string;
}

/** The arguments of a run. The prompt goes to the standard input, whatever its size. */
export function toCommandLine(parts: CommandLineParts): string[] {
  const { flags, permissionMode, model, effort, hasTools, file } = parts;
  const args = ['-p'];
  // These take any number of values, so another flag must follow.
  if (flags.has('--add-dir')) for (const directory of parts.directories) args.push('--add-dir', directory);
  if (!hasTools && flags.has('--tools')) args.push('--tools', '');
  if (parts.server !== undefined) args.push('--allowed-tools', `mcp__${parts.server}`);
  args.push(...(parts.serverArgs ?? []));
  if (parts.staysOpen) args.push('--input-format', 'stream-json');
  args.push('--output-format', 'stream-json', '--verbose');
  if (flags.has('--include-partial-messages')) args.push('--include-partial-messages');
  if (!parts.keepsSession && flags.has('--no-session-persistence')) args.push('--no-session-persistence');
  if (parts.resume !== undefined) args.push('--resume', parts.resume);
  // `--tools` is about the built-in tools only: MCP servers, hooks and memory files need this.
  if (!hasTools && flags.has('--safe-mode')) args.push('--safe-mode');
  if (!hasTools && (parts.server !== undefined || !flags.has('--safe-mode')) && flags.has('--strict-mcp-config'))
    args.push('--strict-mcp-config');
  if (permissionMode && flags.has('--permission-mode')) args.push('--permission-mode', permissionMode);
  if (model !== undefined) args.push('--model', model);
  if (effort) args.push('--effort', effort);
  // With tools, the program's own prompt says how to use them.
  if (file !== undefined) args.push(hasTools ? '--append-system-prompt-file' : '--system-prompt-file', file);
  return [...args, ...parts.extraArgs];
}

/** Flags of `extra_args` that change what the driver relies on, or come twice. */
export const clashes: Clashes = [
  [['--print', '-p'], 'clashes with the driver, which passes it'],
  [['--output-format'], 'clashes with the driver, which reads stream-json only'],
  [['--input-format'], 'clashes with the driver, which writes plain text'],
  [['--replay-user-messages'], 'clashes with the driver: it needs another input format'],
  [['--permission-mode'], 'clashes with the driver: set permission_mode instead'],
  [['--dangerously-skip-permissions'], 'clashes with the driver: set permission_mode: bypassPermissions instead'],
  [['--model'], 'clashes with the driver: set default_model instead'],
  [['--effort'], 'clashes with the driver: set reasoning_effort instead'],
  [['--continue', '-c', '--resume', '-r'], 'clashes with the driver: each request is a conversation of its own'],
  [['--bg', '--background'], 'clashes with the driver: the answer would be lost'],
  [['--help', '-h', '--version', '-v'], 'clashes with the driver: there would be no answer'],
];
