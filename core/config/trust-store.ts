import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, type Problem } from '../errors';
import { readSmallFile } from './small-file';

/** The file by the hash of its path and content; the oldest come first. */
const hashes = z.record(z.string(), z.string()).catch({});
const storeSchema = z.object({ noticed: hashes, trusted: hashes }).catch({ noticed: {}, trusted: {} });

type Store = z.infer<typeof storeSchema>;

const MAXIMUM_HASHES = 1000;

/**
 * `trust.json` in the state folder: what the user was told about, and, apart from that, what the user has trusted.
 * A broken store reads as an empty one.
 */
export class TrustStore {
  private readonly file: string;

  constructor(private readonly directory: string) {
    this.file = join(directory, 'trust.json');
  }

  has(list: keyof Store, project: { file: string; text: string }): boolean {
    return Object.hasOwn(this.read()[list], hashOf(project));
  }

  /** Returns why the store could not be written. */
  add(list: keyof Store, project: { file: string; text: string }): Problem | undefined {
    const store = this.read();
    const latest = [...Object.entries(store[list]), [hashOf(project), resolve(project.file)] as const];
    const temporary = `${this.file}.${randomUUID()}`;
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ ...store, [list]: Object.fromEntries(latest.slice(-MAXIMUM_HASHES)) }, null, 2);
      writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.file);
      return undefined;
    } catch (error) {
      this.discard(temporary);
      return { message: `cannot be written (${codeOf(error) ?? 'unknown reason'})`, place: { file: this.file } };
    }
  }

  private read(): Store {
    const content = readSmallFile(this.file);
    if (content.state !== 'ok') return storeSchema.parse(undefined);
    try {
      return storeSchema.parse(JSON.parse(content.value.toString()));
    } catch {
      return storeSchema.parse(undefined);
    }
  }

  private discard(temporary: string): void {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The folder that cannot be written cannot be tidied either.
    }
  }
}

function hashOf({ file, text }: { file: string; text: string }): string {
  // A path cannot hold a NUL, so no other path and content give the same bytes.
  return createHash('sha256')
    .update(`${resolve(file)}\0${text}`)
    .digest('hex');
}
