import { mkdirSync, readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join, relative } from 'node:path';

const VARIABLES: Record<string, string> = {
  HOME: 'home',
  XDG_CONFIG_HOME: 'home/.config',
  XDG_CACHE_HOME: 'home/.cache',
  XDG_STATE_HOME: 'home/.local/state',
  XDG_DATA_HOME: 'home/.local/share',
  TMPDIR: 'tmp',
  TMP: 'tmp',
  TEMP: 'tmp',
};

/**
 * Moves the home, the temporary folder and the working directory of this process below `folder`. The returned function
 * moves them back. Affects the environment, `node:os` and new programs. Does not affect absolute paths, or functions of
 * `node:os` that code has taken out of the module before.
 */
export function moveHome(folder: string): () => void {
  const before = Object.keys(VARIABLES).map((name) => [name, process.env[name]] as const);
  for (const [name, path] of Object.entries(VARIABLES)) process.env[name] = join(folder, path);
  for (const name of ['home', 'tmp', 'work']) mkdirSync(join(folder, name));
  const { homedir, tmpdir } = os;
  // Under jest the environment is a copy that `node:os` does not read.
  os.homedir = () => join(folder, 'home');
  os.tmpdir = () => join(folder, 'tmp');
  syncBuiltinESMExports();
  const leave = changeDirectory(join(folder, 'work'));
  return () => {
    leave();
    Object.assign(os, { homedir, tmpdir });
    syncBuiltinESMExports();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path.includes('/'));
}

function changeDirectory(folder: string): () => void {
  const before = process.cwd();
  try {
    process.chdir(folder);
  } catch {
    // A worker thread cannot change its working directory, so the case does not watch it there.
    return () => undefined;
  }
  return () => process.chdir(before);
}
