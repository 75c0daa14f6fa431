import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../errors';

/** What may wait for a disk that does not answer. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

/** A file of lines that only grows. Writes happen one after the other and never fail: what goes wrong is reported. */
export class AppendFile {
  private waiting = '';
  private tail: Promise<unknown> = Promise.resolve();
  /** Whether the file may end in the middle of a line: a program that was killed, or a full disk. */
  private mayBeTorn = true;

  constructor(
    readonly path: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Takes whole lines for the next `flush`. */
  append(lines: string): void {
    if (this.waiting.length < BACKLOG_LIMIT) this.waiting += lines;
    else this.failed(new Error('the disk does not answer'));
  }

  /** Resolves when everything that was appended is with the system; with false where that failed and it is given up. */
  flush(): Promise<boolean> {
    return this.alone(() => this.write());
  }

  /** Runs work on the file while nothing is appended to it. Resolves with false, and has reported why, when it failed. */
  alone(work: () => Promise<void>): Promise<boolean> {
    const done = this.tail.then(work).then(
      () => true,
      (error: unknown) => {
        this.failed(error);
        return false;
      },
    );
    this.tail = done;
    return done;
  }

  private async write(): Promise<void> {
    const lines = this.waiting;
    if (lines === '') return;
    this.waiting = '';
    const file = await openPrivate(this.path);
    try {
      const start = this.mayBeTorn && (await endsInsideLine(file)) ? '\n' : '';
      this.mayBeTorn = true;
      await file.appendFile(start + lines);
      this.mayBeTorn = false;
    } finally {
      await file.close();
    }
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>;

async function openPrivate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a+', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, 'a+', 0o600);
  }
}

async function endsInsideLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}
