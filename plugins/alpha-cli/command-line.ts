import type { Capabilities } from './capabilities';

export interface CommandLineParts {
  can: Capabilities;
  /** Empty: the flag is left out. */
  permissionMode: string;
  model?: string | undefined;
  effort?: string | undefined;
  /** The folders of the skills. */
  directories: readonly string[];
  /** Whether the run may use tools; without, it is a chat and nothing else. */
  hasTools: boolean;
  systemPromptFile?: string | undefined;
  extraArgs: readonly string[];
}

/** The arguments of a run. The prompt is not among them: it goes to the standard input, whatever its size. */
export function toCommandLine(parts: CommandLineParts): string[] {
  const { can, permissionMode, model, effort, hasTools, systemPromptFile } = parts;
  const args = ['-p'];
  // These take any number of values, so another flag must follow.
  if (can.addDir) for (const directory of parts.directories) args.push('--add-dir', directory);
  if (!hasTools && can.tools) args.push('--tools', '');
  args.push('--output-format', 'stream-json', '--verbose');
  if (can.partialMessages) args.push('--include-partial-messages');
  if (can.noSessionPersistence) args.push('--no-session-persistence');
  // `--tools` is about the built-in ones; those of MCP servers, hooks and memory files stay without this.
  if (!hasTools && can.safeMode) args.push('--safe-mode');
  else if (!hasTools && can.strictMcpConfig) args.push('--strict-mcp-config');
  if (permissionMode && can.permissionMode) args.push('--permission-mode', permissionMode);
  if (model !== undefined) args.push('--model', model);
  if (effort) args.push('--effort', effort);
  if (systemPromptFile !== undefined) {
    // With tools, the program's own prompt says how to use them.
    args.push(hasTools ? '--append-system-prompt-file' : '--system-prompt-file', systemPromptFile);
  }
  return [...args, ...parts.extraArgs];
}

/** Flags of `extra_args` that change what the driver relies on, or come twice. */
const CLASHING: Readonly<Record<string, string>> = {
  '--print': 'the driver passes it',
  '-p': 'the driver passes it',
  '--output-format': 'the driver reads stream-json only',
  '--input-format': 'the driver writes plain text',
  '--replay-user-messages': 'it needs another input format',
  '--permission-mode': 'set permission_mode instead',
  '--dangerously-skip-permissions': 'set permission_mode: bypassPermissions instead',
  '--model': 'set default_model instead',
  '--effort': 'set reasoning_effort instead',
  '--continue': 'each request is a conversation of its own',
  '-c': 'each request is a conversation of its own',
  '--resume': 'each request is a conversation of its own',
  '-r': 'each request is a conversation of its own',
  '--bg': 'the answer would be lost',
  '--background': 'the answer would be lost',
  '--help': 'there would be no answer',
  '-h': 'there would be no answer',
  '--version': 'there would be no answer',
  '-v': 'there would be no answer',
};

/** What to say about `extra_args`, one line each. They are passed on all the same. */
export function findClashes(extraArgs: readonly string[]): string[] {
  return extraArgs.flatMap((arg) => {
    const flag = arg.split('=', 1)[0] ?? '';
    return Object.hasOwn(CLASHING, flag) ? [`extra_args: ${flag} clashes with the driver: ${CLASHING[flag]}`] : [];
  });
}
