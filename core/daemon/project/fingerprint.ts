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

/** The files that have changed since the daemon opened the project. */
export function changedFiles({ files }: Fingerprint): string[] {
  return Object.keys(files).filter((file) => hashFile(file) !== files[file]);
}

/** The variables that this program has, and the daemon has not, or has with another value. */
export function otherVariables({ salt, variables }: Fingerprint, environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(variables).filter((name) => {
    const own = hashVariable(salt, environment[name]);
    return own !== null && own !== variables[name];
  });
}

/** Finds files that change from now on, and reports each change once. */
export class FileChanges {
  private readonly seen: Record<string, string | null>;

  /** `inUse`: the hash of each file as the daemon has read it; null where the file did not exist. */
  constructor(private readonly inUse: Readonly<Record<string, string | null>>) {
    this.seen = Object.fromEntries(Object.keys(inUse).map((file) => [file, hashFile(file)]));
  }

  /** The files that have changed since the last call, without those that are back to what is in use. */
  take(): string[] {
    return Object.keys(this.inUse).filter((file) => {
      const hash = hashFile(file);
      const isNew = hash !== this.seen[file];
      this.seen[file] = hash;
      return isNew && hash !== this.inUse[file];
    });
  }
}
