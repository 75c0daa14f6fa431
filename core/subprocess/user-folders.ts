import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/**
 * Where installers put a user's programs. The PATH of a service or of a desktop program lacks them, because the user's
 * shell adds them.
 */
export async function userFolders(environment: NodeJS.ProcessEnv, home: string): Promise<string[]> {
  const node = await newestNode(environment.NVM_DIR, home);
  return [join(home, '.local/bin'), ...(node === undefined ? [] : [node]), join(home, '.bun/bin')];
}

/** The folder of the programs that belong to the newest Node that nvm installed. */
async function newestNode(nvmDirectory: string | undefined, home: string): Promise<string | undefined> {
  const root = nvmDirectory && isAbsolute(nvmDirectory) ? nvmDirectory : join(home, '.nvm');
  const folder = join(root, 'versions/node');
  const names = await readdir(folder).catch(() => []);
  const versions = names.filter((name) => /^v\d+\.\d+\.\d+$/.test(name));
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest === undefined ? undefined : join(folder, newest, 'bin');
}
