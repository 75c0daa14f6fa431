import { dirname, join } from 'node:path';
import { versionOf } from '../_shared/cli/file-version';
import { fieldsOf } from '../_shared/fields';
import { configFolder, readState } from './config-folder';

/** Each folder above an agent may have them. */
const IN_FOLDERS = [
  ...['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.mcp.json'],
  ...['.claude/settings.json', '.claude/settings.local.json'],
];
const OF_USER = ['settings.json', 'CLAUDE.md'];

/** Differs when a file of the user has changed that the program of an agent reads at its start, and not again. */
export async function readAtStart(folder: string): Promise<unknown[]> {
  const files = OF_USER.map((name) => join(configFolder(), name));
  for (const at of [folder, ...foldersAbove(folder)]) files.push(...IN_FOLDERS.map((name) => join(at, name)));
  const { mcpServers, projects } = await readState();
  return [files.map(versionOf), mcpServers, fieldsOf(fieldsOf(projects)[folder]).mcpServers];
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
