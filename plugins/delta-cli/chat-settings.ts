import { join } from 'node:path';
import { ReadFile } from '../_shared/cli/file-version';
import { type Fields, fieldsOf, isFields } from '../_shared/fields';
import { homeFolder } from '../_shared/home-folder';

/**
 * Settings that leave a run without the CLI's own tools, hooks, and instructions from skills or from files above its folder.
 * Versions that do not know a setting pass over it. `CHAT_ENVIRONMENT` covers what has no setting.
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
 * Some models get `apply_patch` and `exec` whatever the settings say. Without a place to execute anything these tools cannot
 * do their work. `apply_patch` would write wherever the sandbox lets it.
 */
export const CHAT_ENVIRONMENT = { CODEX_EXEC_SERVER_URL: 'none' } as const;

/** What the CLI takes as the name of a server. It refuses others itself. */
const SERVER_NAME = /^[\w-]+$/;

/** The user's MCP servers cannot be switched off as a whole, and a server that does not exist cannot be switched off at all. */
export async function chatSettings(): Promise<string[]> {
  const servers = Object.entries(fieldsOf((await codexConfig()).mcp_servers))
    .filter(([name, server]) => SERVER_NAME.test(name) && isFields(server) && server.enabled !== false)
    .map(([name]) => `mcp_servers.${name}.enabled=false`);
  return [...CHAT_ONLY, ...servers];
}

const config = new ReadFile(parseConfig);

/** The user's configuration of the CLI, as it is now. */
export function codexConfig(): Promise<Fields> {
  return config.get(join(codexHome(), 'config.toml'));
}

async function parseConfig(text: string): Promise<Fields> {
  // Most files say nothing that matters here, and need no parser.
  if (!/mcp_servers|model/.test(text)) return {};
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch {
    // The CLI itself refuses such a file, with a better message than ours could be.
    return {};
  }
}

/** Where the CLI has its login and its configuration. */
export function codexHome(): string {
  return process.env.CODEX_HOME || join(homeFolder(), '.codex');
}
