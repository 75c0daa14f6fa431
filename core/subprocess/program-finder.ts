import { accessSync, constants } from 'node:fs';
import { findProgram, type FindProgram } from './find-program';

/** An update may move a program: it is looked for anew after this time. */
const KNOWN_FOR_MS = 1_000;

/** Finds programs, and does not search every folder again for each of many runs that follow each other. */
export class ProgramFinder {
  private readonly known = new Map<string, { path: string; until: number }>();

  /** The absolute path of the first program that is there and may be run. Throws `not_installed`. */
  async find(wanted: FindProgram): Promise<string> {
    const { names, directories = [], userFolders = false, environment } = wanted;
    const key = [...names, '', ...directories, '', userFolders, environment.PATH, environment.HOME].join('\0');
    const known = this.known.get(key);
    if (known && performance.now() < known.until && mayRun(known.path)) return known.path;
    const path = await findProgram(wanted);
    this.known.set(key, { path, until: performance.now() + KNOWN_FOR_MS });
    return path;
  }
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
