import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hintOf, messageOf, type Problem } from '../errors';
import { makeFolder } from '../make-folder';
import { explainFolder } from '../paths';

type List = 'noticed' | 'trusted' | 'agents';

/** What to do about a part of a project's file that waits. */
export const HOW_TO_TRUST = 'look at the file, then run: drivebay trust';

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
      create(file, `${resolve(project.file)}\n`);
      return undefined;
    } catch (error) {
      const explained = explainFolder(error, { state: dirname(this.folder) }, 'state');
      return { message: messageOf(explained), hint: hintOf(explained) };
    }
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
  }
}
