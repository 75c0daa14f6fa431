import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

/** The time of each file at the start of a run; what has another one at its end was written by others meanwhile. */
type Times = ReadonlyMap<string, number>;

export function timesIn(folder: string, names: readonly string[]): Times {
  return new Map(names.map((name) => [name, timeOf(join(folder, name))]));
}

/**
 * Keeps what a program has written to a folder of links beside them: a file that is new, and one that it wrote by a rename,
 * which puts a file in the place of the link. Such a file may be a login. Throws where one cannot be kept, after all others.
 */
export function bringBack(from: string, to: string, before: Times, isOurs: (name: string) => boolean): void {
  const entries = readdirSync(from, { withFileTypes: true }).filter(({ name }) => !isOurs(name));
  const failures: unknown[] = [];
  const keep = (work: (source: string, target: string) => void, name: string) => {
    try {
      work(join(from, name), join(to, name));
    } catch (error) {
      failures.push(error);
    }
  };
  // A login is a file: what is wrong in a folder is no reason to lose it.
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    // Another program has written it since: its words are as good.
    if (timeOf(join(to, name)) === (before.get(name) ?? NONE)) keep(putInPlace, name);
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) keep(putFolder, name);
  if (failures.length > 0) throw failures[0];
}

const NONE = -1;

/** A socket or a pipe in it belongs to a program, and ends with it. */
function putFolder(source: string, target: string): void {
  if (existsSync(target)) return;
  const isKept = (path: string) => {
    const kind = lstatSync(path);
    return kind.isFile() || kind.isDirectory() || kind.isSymbolicLink();
  };
  cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter: isKept });
}

function timeOf(file: string): number {
  try {
    return lstatSync(realpathSync(file)).mtimeMs;
  } catch {
    return NONE;
  }
}

/** In one step: a reader finds the file of before or the new one. A link of the user stays a link. */
function putInPlace(source: string, target: string): void {
  const place = existsSync(target) ? realpathSync(target) : target;
  const next = `${place}.${process.pid}.tmp`;
  try {
    copyFileSync(source, next);
    chmodSync(next, lstatSync(source).mode & 0o777);
    renameSync(next, place);
  } finally {
    rmSync(next, { force: true });
  }
}
