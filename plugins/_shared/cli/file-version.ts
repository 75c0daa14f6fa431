import { readFileSync, type Stats, statSync } from 'node:fs';

/** A file that has changed just now may change again, and its times may stay as they are. */
const SETTLED_MS = 100;

/**
 * Differs after each change of a file, or of the file that a link leads to. Empty where no file can be seen. Installers write files
 * of equal size with equal times of change: the time of the inode is the system's. Sync, as this is asked for each chat, and
 * the way over a thread would cost ten times as much.
 */
export function versionOf(file: string): string {
  const found = statOf(file);
  return found ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : '';
}

/** What is in a small file. It is read again when the file has changed. */
export class ReadFile<Content> {
  private known: { file: string; version: string; content: Content } | undefined;

  /** `parse` gets an empty text where there is no file, or where it cannot be read. */
  constructor(private readonly parse: (text: string) => Content) {}

  get(file: string): Content {
    const version = versionOf(file);
    if (this.known?.file === file && this.known.version === version) return this.known.content;
    const content = this.parse(textOf(file));
    const changed = statOf(file)?.ctimeMs ?? 0;
    this.known = Date.now() - changed > SETTLED_MS ? { file, version, content } : undefined;
    return content;
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
