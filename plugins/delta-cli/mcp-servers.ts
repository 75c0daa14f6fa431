import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isFields } from './fields';

/** What the CLI takes as the name of a server; others it refuses itself. */
const NAME = /^[\w-]+$/;

/**
 * The MCP servers of the user's configuration. They cannot be switched off as a whole, and one that does not exist cannot
 * be switched off at all. Read each time: it is a small file, and the user may add one while the daemon runs.
 */
export async function enabledMcpServers(): Promise<string[]> {
  const home = process.env.CODEX_HOME || join(homedir(), '.codex');
  const text = await readFile(join(home, 'config.toml'), 'utf8').catch(() => '');
  if (!text.includes('mcp_servers')) return [];
  const servers = parse(text).mcp_servers;
  if (!isFields(servers)) return [];
  return Object.entries(servers)
    .filter(([name, server]) => NAME.test(name) && isFields(server) && server.enabled !== false)
    .map(([name]) => name);
}

/** A file that is no TOML stops the CLI itself, with a better message than ours could be. */
function parse(text: string): Record<string, unknown> {
  // Loaded by the first configuration that names a server: most name none.
  const toml = require('smol-toml') as typeof import('smol-toml');
  try {
    return toml.parse(text);
  } catch {
    return {};
  }
}
