import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Fingerprint } from '../control/protocol';

/** SHA-256 of a file; null where it cannot be read. */
export function hashFile(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}

/** An empty variable counts as not set, as everywhere. */
export function hashVariable(salt: string, value: string | undefined): string | null {
  return value?.trim() ? createHmac('sha256', salt).update(value).digest('hex') : null;
}

export type FileHashes = Fingerprint['files'];

/** The files that have changed since the daemon opened the project, with their hashes of now. */
export function changedFiles({ files }: { files: FileHashes }): FileHashes {
  const now = Object.keys(files).map((file) => [file, hashFile(file)] as const);
  return Object.fromEntries(now.filter(([file, hash]) => hash !== files[file]));
}

/** Those that `before` does not have, or has with another content. */
export function newChanges(now: FileHashes, before: FileHashes): string[] {
  return Object.keys(now).filter((file) => now[file] !== before[file]);
}

/** The variables that this program has, and the daemon has not, or has with another value. */
export function otherVariables({ salt, variables }: Fingerprint, environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(variables).filter((name) => {
    const own = hashVariable(salt, environment[name]);
    return own !== null && own !== variables[name];
  });
}
