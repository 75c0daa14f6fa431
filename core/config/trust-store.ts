import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hintOf, messageOf, type Problem } from '../errors';
import { explainFolder, makeFolder } from '../paths';

type List = 'noticed' | 'trusted' | 'agents';

const MAXIMUM_HASHES = 1000;

export function trustFolder(state: string): string {
  return join(state, 'trust');
}

/**
 * `trust` in the state folder: the project files that the user has had a notice about, those that the user trusts, and the
 * folders (without a text) in which agents may act without asking. Each is a file of its own, and its name says it all: it
 * is there or not, and programs that add at once take nothing from each other. Its content, a path, is for people.
 */
export class TrustStore {
  private readonly folder: string;

  constructor(state: string) {
    this.folder = trustFolder(state);
  }

  has(list: List, project: { file: string; text: string }): boolean {
    try {
      return statSync(this.fileOf(list, project)).isFile();
    } catch {
      return false;
    }
  }

  /** Returns a problem when the store cannot be written. It has no place: no configuration file is at fault. */
  add(list: List, project: { file: string; text: string }): Problem | undefined {
    const file = this.fileOf(list, project);
    try {
      makeFolder(this.folder);
      this.forgetOldest(list);
      create(file, `${resolve(project.file)}\n`);
      return undefined;
    } catch (error) {
      const explained = explainFolder(error, { state: dirname(this.folder) }, 'state');
      return { message: messageOf(explained), hint: hintOf(explained) };
    }
  }

  /** Makes room for one more. */
  private forgetOldest(list: List): void {
    // Only a file is a sign of trust. Something else may be a folder that cannot be removed.
    const found = readdirSync(this.folder, { withFileTypes: true });
    const files = found
      .filter((entry) => entry.isFile() && entry.name.startsWith(`${list}.`))
      .map(({ name }) => join(this.folder, name));
    if (files.length < MAXIMUM_HASHES) return;
    const ages = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
    files.sort((a, b) => ages.get(a)! - ages.get(b)!);
    for (const file of files.slice(0, files.length - MAXIMUM_HASHES + 1)) rmSync(file, { force: true });
  }

  private fileOf(list: List, { file, text }: { file: string; text: string }): string {
    // A path contains no NUL, so each pair of path and content gives different bytes.
    const hash = createHash('sha256')
      .update(`${resolve(file)}\0${text}`)
      .digest('hex');
    return join(this.folder, `${list}.${hash}`);
  }
}

function create(file: string, path: string): void {
  try {
    writeFileSync(file, path, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // The name counts, also where the disk has no place for the content.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw error;
    utimesSync(file, new Date(), new Date());
  }
}
