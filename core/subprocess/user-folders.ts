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
  const versions = names.flatMap((name) => {
    const match = /^v(\d+)\.(\d+)\.(\d+)$/.exec(name);
    return match ? [{ name, numbers: match.slice(1).map(Number) }] : [];
  });
  // By number: as texts, v9 would be newer than v20.
  versions.sort((a, b) => compare(b.numbers, a.numbers));
  return versions[0] && join(folder, versions[0].name, 'bin');
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((number, index) => number - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
