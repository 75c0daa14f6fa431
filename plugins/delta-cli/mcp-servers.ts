import { isFields } from '../_shared/fields';
import { codexConfig } from './codex-config';

/** What the CLI takes as the name of a server; others it refuses itself. */
const NAME = /^[\w-]+$/;

/**
 * The MCP servers of the user's configuration. They cannot be switched off as a whole, and one that does not exist cannot
 * be switched off at all.
 */
export async function enabledMcpServers(): Promise<string[]> {
  const { mcp_servers: servers } = await codexConfig();
  if (!isFields(servers)) return [];
  return Object.entries(servers)
    .filter(([name, server]) => NAME.test(name) && isFields(server) && server.enabled !== false)
    .map(([name]) => name);
}
