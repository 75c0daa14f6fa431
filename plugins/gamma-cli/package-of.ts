import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fieldsIn, type Fields } from '../_shared/fields';

/** A program is some folders below its package. */
const MOST_LEVELS = 4;

/** The package.json of the package that a program is in. Empty where there is none. */
export async function packageOf(path: string): Promise<Fields> {
  let folder = dirname(await realpath(path).catch(() => path));
  for (let level = 0; level < MOST_LEVELS; level += 1, folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return fieldsIn(text);
  }
  return {};
}
