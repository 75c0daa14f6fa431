import { enabledMcpServers } from './mcp-servers';

/**
 * Settings that leave a run nothing but talk: no tool of the CLI's own, and no instructions from files that happen to lie
 * above its folder. `apply_patch` has no switch; the sandbox keeps it inside the folder.
 */
const CHAT_ONLY = [
  'features.shell_tool=false',
  'features.multi_agent=false',
  'features.goals=false',
  'features.view_image=false',
  'features.image_generation=false',
  'features.apps=false',
  'web_search="disabled"',
  'project_doc_max_bytes=0',
];

export async function chatSettings(): Promise<string[]> {
  const servers = await enabledMcpServers();
  return [...CHAT_ONLY, ...servers.map((name) => `mcp_servers.${name}.enabled=false`)];
}
