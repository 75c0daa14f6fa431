import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Fields } from '../_shared/fields';

/** The user's configuration of the CLI. Read each time: it is a small file, and may change while the daemon runs. */
export async function codexConfig(): Promise<Fields> {
  const home = process.env.CODEX_HOME || join(homedir(), '.codex');
  const text = await readFile(join(home, 'config.toml'), 'utf8').catch(() => '');
  // Most say nothing that matters here, and need no parser.
  return /mcp_servers|model_provider/.test(text) ? parse(text) : {};
}

/** A file that is no TOML stops the CLI itself, with a better message than ours could be. */
function parse(text: string): Fields {
  const toml = require('smol-toml') as typeof import('smol-toml');
  try {
    return toml.parse(text);
  } catch {
    return {};
  }
}
