/** What `claude -p --help` says, as far as the driver reads it. */
export const HELP = `Usage: claude [options] [prompt]

Options:
  --add-dir <directories...>            Additional directories to allow tool
                                        access to
  --bare                                Minimal mode. Explicitly provide context
                                        via: --system-prompt[-file],
                                        --append-system-prompt[-file], --add-dir
                                        (CLAUDE.md dirs)
  --effort <level>                      Effort level for the current session
  --include-partial-messages            Include partial message chunks as they
                                        arrive
  --no-session-persistence              Disable session persistence
  --permission-mode <mode>              Permission mode to use for the session
  -p, --print                           Print response and exit
  --safe-mode                           Start with all customizations disabled
  --strict-mcp-config                   Only use MCP servers from --mcp-config
  --tools <tools...>                    Specify the list of available tools
`;

/** What a version says that can hold a conversation. */
export const SESSION_HELP = `${HELP}
  --allowedTools, --allowed-tools <tools...>  Tools that need no permission
  --input-format <format>               Input format (only works with --print)
`;
