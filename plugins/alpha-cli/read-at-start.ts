import { dirname, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { versionOf } from '../_shared/cli/file-version';
import { fieldsOf, parseJson } from '../_shared/fields';
import { homeFolder } from '../_shared/home-folder';

/** Each folder above an agent may have them. */
const IN_FOLDERS = [
  ...['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.mcp.json'],
  ...['.claude/settings.json', '.claude/settings.local.json'],
];
const OF_USER = ['settings.json', 'CLAUDE.md'];

/** Differs when a file of the user has changed that the program of an agent reads at its start, and not again. */
export async function readAtStart(folder: string): Promise<unknown[]> {
  const own = process.env.CLAUDE_CONFIG_DIR || join(homeFolder(), '.claude');
  const files = OF_USER.map((name) => join(own, name));
  for (const at of [folder, ...foldersAbove(folder)]) files.push(...IN_FOLDERS.map((name) => join(at, name)));
  const file = join(process.env.CLAUDE_CONFIG_DIR || homeFolder(), '.claude.json');
  // The program itself writes to this file all the time.
  const { mcpServers, projects } = fieldsOf(parseJson(await readFile(file, 'utf8').catch(() => '')));
  return [files.map(versionOf), mcpServers, fieldsOf(fieldsOf(projects)[folder]).mcpServers];
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
