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
 * Leads the process to a home, a temporary folder and a working directory below `folder`; what is returned leads it back.
 * It reaches whoever asks the environment or `node:os`, and programs started from now on. It does not reach
 * absolute paths, and functions of `node:os` that were taken out of the module before.
 */
export function moveHome(folder: string): () => void {
  const before = Object.keys(VARIABLES).map((name) => [name, process.env[name]] as const);
  for (const [name, path] of Object.entries(VARIABLES)) process.env[name] = join(folder, path);
  for (const name of ['home', 'tmp', 'work']) mkdirSync(join(folder, name));
  const { homedir, tmpdir } = os;
  // Under jest the environment is a copy that `node:os` does not see.
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

/** What was written below it, from there. */
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
    // A worker thread cannot: there the working directory is not watched.
    return () => undefined;
  }
  return () => process.chdir(before);
}
