import { hashFile } from './fingerprint';

/** Tells of files that change from now on, once for each change. */
export class FileChanges {
  private readonly seen: Record<string, string | null>;

  /** `known`: files, with the hash of each as it is in use; null where it was not there. */
  constructor(private readonly known: Readonly<Record<string, string | null>>) {
    this.seen = Object.fromEntries(Object.keys(known).map((file) => [file, hashFile(file)]));
  }

  /** Those that have changed since the last call, but for those that are as they are in use. */
  take(): string[] {
    return Object.keys(this.known).filter((file) => {
      const hash = hashFile(file);
      const isNew = hash !== this.seen[file];
      this.seen[file] = hash;
      return isNew && hash !== this.known[file];
    });
  }
}
