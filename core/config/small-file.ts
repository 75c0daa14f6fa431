import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors';
import { linkFault } from '../make-folder';

/** Far more than a file written by hand. */
const MAXIMUM_BYTES = 1024 * 1024;

type Outcome<Value> =
  | { state: 'ok'; value: Value }
  | { state: 'absent' }
  /** The reason follows the name of the file in a sentence. */
  | { state: 'unusable'; reason: string };

/** Stats a file and follows links. Only regular files are ok, because the read of a pipe or a device may block forever. */
export function statRegularFile(file: string): Outcome<BigIntStats> {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats) return judge(stats);
    const isDanglingLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
    return isDanglingLink ? unusable('is a symbolic link that leads nowhere') : { state: 'absent' };
  } catch (error) {
    return unusable(explain(file, error));
  }
}

/** Reads a whole regular file of at most 1 MiB. Never blocks and never throws. */
export function readSmallFile(file: string): Outcome<Buffer> {
  const found = statRegularFile(file);
  if (found.state !== 'ok') return found;
  let descriptor: number | undefined;
  try {
    // The file may have become a pipe in the meantime. Without the flag, opening a pipe would block.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = judge(fstatSync(descriptor, { bigint: true }));
    return opened.state === 'ok' ? readAll(descriptor) : opened;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { state: 'absent' } : unusable(explain(file, error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Does not rely on the size of stat: it is 0 for files below /proc, and other files grow. */
function readAll(descriptor: number): Outcome<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const length = readSync(descriptor, chunk);
    if (length === 0) return { state: 'ok', value: Buffer.concat(chunks) };
    total += length;
    if (total > MAXIMUM_BYTES) return unusable(TOO_LARGE);
    chunks.push(chunk.subarray(0, length));
  }
}

const TOO_LARGE = 'is larger than 1 MiB';

function judge(stats: BigIntStats): Outcome<BigIntStats> {
  if (!stats.isFile()) return unusable(`is ${kindOf(stats)}, expected a regular file`);
  return stats.size > MAXIMUM_BYTES ? unusable(TOO_LARGE) : { state: 'ok', value: stats };
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

function unusable(reason: string): { state: 'unusable'; reason: string } {
  return { state: 'unusable', reason };
}

function explain(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  if (code !== 'ELOOP') return `cannot be read (${code ?? 'unknown reason'})`;
  const above = linkFault(dirname(file));
  return above === undefined ? 'is a symbolic link that leads to itself' : `cannot be read: ${above}`;
}
