import { createHash, randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, type Problem } from '../errors';
import { howToMove } from '../paths';
import { readSmallFile } from './small-file';
import { makeFolder } from '../make-folder';

/** The path of a file by the hash of its path and content, oldest first. */
const hashes = z.record(z.string(), z.string()).catch({});
const storeSchema = z
  .object({ noticed: hashes, trusted: hashes, agents: hashes })
  .catch({ noticed: {}, trusted: {}, agents: {} });

type Store = z.infer<typeof storeSchema>;

const MAXIMUM_HASHES = 1000;

/**
 * `trust.json` in the state folder: the project files that the user has had a notice about, those that the user trusts, and
 * the folders (without a text) in which agents may act without asking. A broken store counts as empty.
 */
export class TrustStore {
  private readonly file: string;

  constructor(private readonly directory: string) {
    this.file = join(directory, 'trust.json');
  }

  has(list: keyof Store, project: { file: string; text: string }): boolean {
    return Object.hasOwn(this.read()[list], hashOf(project));
  }

  /** Returns a problem when the store cannot be written. */
  add(list: keyof Store, project: { file: string; text: string }): Problem | undefined {
    const store = this.read();
    const latest = [...Object.entries(store[list]), [hashOf(project), resolve(project.file)] as const];
    const temporary = `${this.file}.${randomUUID()}`;
    try {
      makeFolder(this.directory);
      const text = JSON.stringify({ ...store, [list]: Object.fromEntries(latest.slice(-MAXIMUM_HASHES)) }, null, 2);
      writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.file);
      return undefined;
    } catch (error) {
      try {
        rmSync(temporary, { force: true });
      } catch {
        // A folder without write permission also forbids the removal.
      }
      const code = codeOf(error) ?? 'unknown reason';
      const hint = howToMove('state', code === 'ENOSPC');
      return { message: `cannot be written (${code})`, place: { file: this.file }, hint };
    }
  }

  private read(): Store {
    const content = readSmallFile(this.file);
    try {
      return storeSchema.parse(content.state === 'ok' ? JSON.parse(content.value.toString()) : undefined);
    } catch {
      return storeSchema.parse(undefined);
    }
  }
}

function hashOf({ file, text }: { file: string; text: string }): string {
  // A path contains no NUL, so each pair of path and content gives different bytes.
  const hashed = `${resolve(file)}\0${text}`;
  return createHash('sha256').update(hashed).digest('hex');
}
