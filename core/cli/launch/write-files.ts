import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../make-folder';

/** Writes files that only the user can read. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, text, { mode: 0o600 });
  }
}
