import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Fields } from '../_shared/fields';

/** The user's configuration of the CLI. Read each time: the file is small, and may change while the daemon runs. */
export async function codexConfig(): Promise<Fields> {
  const home = process.env.CODEX_HOME || join(homedir(), '.codex');
  const text = await readFile(join(home, 'config.toml'), 'utf8').catch(() => '');
  // Most files say nothing that matters here, and need no parser.
  if (!/mcp_servers|model_provider/.test(text)) return {};
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch {
    // The CLI itself refuses such a file, with a better message than ours could be.
    return {};
  }
}
