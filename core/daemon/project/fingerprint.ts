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

/** What this program sees otherwise than the daemon did when it opened the project: files, and names of variables. */
export function differences({ salt, files, variables }: Fingerprint, environment: NodeJS.ProcessEnv): string[] {
  const changedFiles = Object.entries(files).filter(([file, hash]) => hashFile(file) !== hash);
  const changedVariables = Object.entries(variables).filter(
    ([name, hash]) => hashVariable(salt, environment[name]) !== hash,
  );
  return [...changedFiles, ...changedVariables].map(([name]) => name);
}
