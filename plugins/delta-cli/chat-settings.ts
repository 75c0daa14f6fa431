import { enabledMcpServers } from './mcp-servers';

/**
 * Settings that leave a run nothing but talk: no tool of the CLI's own, no hook, and no instructions from skills or from
 * files that happen to lie above its folder. Versions that do not know one of them pass over it. What has no setting is
 * the affair of `CHAT_ENVIRONMENT`.
 */
const CHAT_ONLY = [
  'features.shell_tool=false',
  'features.multi_agent=false',
  'features.multi_agent_v2=false',
  'features.goals=false',
  'features.hooks=false',
  'features.sleep_tool=false',
  'skills.include_instructions=false',
  'features.view_image=false',
  'features.image_generation=false',
  'features.apps=false',
  'web_search="disabled"',
  'project_doc_max_bytes=0',
];

/**
 * Without a place to execute anything, the tools that some models get whatever the settings say cannot do their work:
 * `apply_patch`, which would write wherever the sandbox lets it, and whatever is called from inside of `exec`.
 */
export const CHAT_ENVIRONMENT = { CODEX_EXEC_SERVER_URL: 'none' } as const;

export async function chatSettings(): Promise<string[]> {
  const servers = await enabledMcpServers();
  return [...CHAT_ONLY, ...servers.map((name) => `mcp_servers.${name}.enabled=false`)];
}
