import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../contract/api';
import { codeOf, messageOf } from '../errors';
import { makeFolder } from '../make-folder';
import { howToMove, isDiskFull } from '../paths';

/** In bytes: how much may wait for a disk that does not answer. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;
/** In characters. Each garbage collection copies lines that wait as text; bytes are outside of its heap. */
const PACK_LENGTH = 16 * 1024;

/** A file with one JSON value per line that only grows. Writes happen one after the other; failures are reported. */
export class AppendFile {
  private waiting = '';
  /** The lines before those, as bytes. */
  private packed: Buffer[] = [];
  private packedBytes = 0;
  private tail: Promise<unknown> = Promise.resolve();
  /** The write that waits for its turn, and will take every line until then. */
  private next: Promise<boolean> | undefined;
  /** How long the file was after the last whole line of ours. Another length: it may end inside a line of a killed program. */
  private wholeAt: number | undefined;

  constructor(
    readonly path: string,
    private readonly failed: (error: unknown) => void,
    /** Whether it is no link, and only the user may read it, also where it was there before. */
    private readonly isStrict = false,
  ) {}

  /** Takes a line for the next `flush` and returns its length. */
  append(value: object): number {
    const line = `${JSON.stringify(value)}\n`;
    if (this.packedBytes > BACKLOG_LIMIT) this.failed(new Error('the disk does not answer'));
    else this.waiting += line;
    if (this.waiting.length > PACK_LENGTH) this.pack();
    return line.length;
  }

  /**
   * Resolves when the system has every line, or with false after a failure: then the lines are lost. Calls that wait share one
   * write. With one for each, calls that come faster than the disk writes would wait longer and longer.
   */
  flush(): Promise<boolean> {
    this.next ??= this.alone(() => {
      this.next = undefined;
      return this.write();
    });
    return this.next;
  }

  /** Runs work on the file while nothing is appended to it. Resolves with false after a failure, which is reported. */
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

  private pack(): void {
    if (this.waiting === '') return;
    const bytes = Buffer.from(this.waiting);
    this.waiting = '';
    this.packed.push(bytes);
    this.packedBytes += bytes.length;
  }

  private async write(): Promise<void> {
    this.pack();
    const lines = this.packed;
    if (this.packedBytes === 0) return;
    this.packed = [];
    this.packedBytes = 0;
    const { file, size } = await openPrivate(this.path, this.isStrict);
    try {
      if (size !== this.wholeAt && (await endsInsideLine(file, size))) lines.unshift(Buffer.from('\n'));
      const bytes = Buffer.concat(lines);
      this.wholeAt = undefined;
      // In one piece: between two pieces another program may add its lines. A full disk takes a part, and then nothing.
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
      this.wholeAt = size + bytes.length;
    } finally {
      await file.close();
    }
  }
}

/** Reports the first failure of work that is tried again and again. */
export function warnOnce(log: Logger, consequence: string): (error: unknown) => void {
  let hasWarned = false;
  return (error) => {
    if (!hasWarned) log.warn(explainLoss(consequence, error));
    hasWarned = true;
  };
}

/** One line: what is lost, why, and the way out. */
export function explainLoss(consequence: string, error: unknown): string {
  return `${consequence}: ${messageOf(error)}; ${howToMove('state', isDiskFull(error))}`;
}

async function openPrivate(path: string, isStrict: boolean): Promise<{ file: FileHandle; size: number }> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  // Without waiting: a pipe would wait for its reader, and nothing could stop the program.
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | (isStrict ? O_NOFOLLOW : 0);
  const opened = () => open(path, flags, 0o600);
  const file = await opened().catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'EISDIR' || code === 'ENXIO' || (isStrict && code === 'ELOOP')) throw noFile(path);
    if (code !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return opened();
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw noFile(path);
    if (isStrict && (stats.mode & 0o077) !== 0) await file.chmod(0o600);
    return { file, size: stats.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function noFile(path: string): Error {
  return new Error(`${path} exists and is not a regular file`);
}

async function endsInsideLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}
