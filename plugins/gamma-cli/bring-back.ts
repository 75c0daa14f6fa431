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
export type Times = ReadonlyMap<string, number>;

export function timesIn(folder: string, names: readonly string[]): Times {
  return new Map(names.map((name) => [name, timeOf(join(folder, name))]));
}

/**
 * Keeps what a program has written to a folder of links beside them: a file that is new, and one that it wrote by a rename,
 * which puts a file in the place of the link. Such a file may be a login. Throws where one cannot be kept.
 */
export function bringBack(from: string, to: string, before: Times, isOurs: (name: string) => boolean): void {
  for (const { name, ...entry } of readdirSync(from, { withFileTypes: true }).map(kindOf)) {
    if (isOurs(name) || entry.isLink) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (!entry.isFile) {
      if (!existsSync(target)) cpSync(source, target, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    // Another program has written it since: its words are as good.
    if (timeOf(target) === (before.get(name) ?? NONE)) putInPlace(source, target);
  }
}

const NONE = -1;

function kindOf(entry: { name: string; isSymbolicLink(): boolean; isFile(): boolean }) {
  return { name: entry.name, isLink: entry.isSymbolicLink(), isFile: entry.isFile() };
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
