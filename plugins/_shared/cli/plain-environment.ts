/** What a program finds when it runs inside of an agent, where it behaves differently or refuses to start. */
const NESTED_RUN = [
  ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_EXECPATH', 'CLAUDE_CODE_SSE_PORT', 'CLAUDE_CODE_SESSION_ID'],
  ...['CLAUDE_CODE_SESSION_ACCESS_TOKEN', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_EFFORT', 'AI_AGENT'],
  ...['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID', 'CODEX_SESSION_ID', 'CODEX_TOOL_CALL_ID'],
  ...['CODEX_CI', 'CODEX_VERSION', 'CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_BY_BUN', 'CODEX_MANAGED_PACKAGE_ROOT'],
  ...['CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS'],
  ...['CURSOR_AGENT', 'CURSOR_INVOKED_AS', 'CURSOR_TRACE_ID'],
  ...['GEMINI_CLI', 'GEMINI_CLI_IDE_SERVER_PORT', 'GEMINI_CLI_IDE_WORKSPACE_PATH', 'GEMINI_CLI_IDE_AUTH_TOKEN'],
  ...['GEMINI_CLI_IDE_PID', 'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND', 'GEMINI_CLI_IDE_SERVER_STDIO_ARGS'],
  ...['QWEN_CODE', 'QWEN_CODE_IDE_SERVER_PORT', 'QWEN_CODE_IDE_WORKSPACE_PATH'],
];

/** Makes coloured text of what we read. */
const COLOURS = ['FORCE_COLOR', 'CLICOLOR_FORCE'];

const CHANGES: Readonly<Record<string, string | undefined>> = {
  NO_COLOR: '1',
  ...Object.fromEntries([...NESTED_RUN, ...COLOURS].map((name) => [name, undefined])),
};

/** The changes that let any agent CLI run as if it was started from a plain terminal without colours. */
export function plainEnvironment(): Record<string, string | undefined> {
  return { ...CHANGES };
}
