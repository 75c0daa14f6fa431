import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A larger file is identified by its size and its time: hashing it would stop the daemon for a moment. */
const LARGE_BYTES = 1024 * 1024;
const MOST_FILES = 2_000;

/**
 * Tells whether the files of a plug-in are the same as before, by their content. The packages of a plug-in count by the list that
 * npm keeps of them. Folders that begin with a dot do not count.
 */
export function codePrint(directory: string): string {
  const hash = createHash('sha256');
  for (const file of filesIn(directory)) hash.update(`${file}\0${printOf(join(directory, file))}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** The same by the sizes and times of the files only: quick enough to look every second. */
export function codeStamp(directory: string): string {
  return filesIn(directory)
    .map((file) => `${file} ${stampOf(join(directory, file))}`)
    .join('\n');
}

/**
 * The size of a file, and the time of the last change of its content, times or rights: new rights may make it readable. Empty if
 * there is no file.
 */
export function stampOf(file: string): string {
  const found = look(file);
  return found ? `${found.size}:${found.ctimeMs}:${found.ino}` : '';
}

function printOf(file: string): string {
  const found = look(file);
  if (found?.isFile() && found.size > LARGE_BYTES) return `${found.size}:${found.mtimeMs}:${found.ino}`;
  if (!found?.isFile()) return stampOf(file);
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return stampOf(file);
  }
}

/** By their paths from the folder, in an order that is always the same. Links to folders are not followed. */
function filesIn(directory: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of entriesOf(join(directory, folder))) {
      const path = join(folder, entry.name);
      if (entry.name === 'node_modules') found.push(join(path, '.package-lock.json'));
      else if (entry.isDirectory()) {
        if (!entry.name.startsWith('.')) folders.push(path);
      } else found.push(path);
      if (found.length >= MOST_FILES) return found;
    }
  }
  return found;
}

function entriesOf(directory: string) {
  try {
    const entries = readdirSync(realpathSync(directory), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Undefined on any error: a link that points to itself must not hide other files. */
export function look(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
