import { isUtf8 } from 'node:buffer';
import { fstatSync, type Stats } from 'node:fs';
import { messageOf, UsageError } from '../../errors';
import { printNote } from './print';

const STDIN = 0;
const PATIENCE_MS = 3_000;
/** A request over the control socket may be twice as long. */
const LIMIT = 8 * 1024 * 1024;

/**
 * The text of a pipe or a file on stdin; undefined where there is none. A pipe that stays open must not block a command: after
 * some silence the command says so and goes on without the text.
 */
export async function readStdin(): Promise<string | undefined> {
  const kind = statOfStdin();
  if (!kind || !(kind.isFIFO() || kind.isSocket() || kind.isFile())) return undefined;
  const pieces = await collect(kind.isFile() ? undefined : PATIENCE_MS);
  if (!pieces) return undefined;
  const bytes = Buffer.concat(pieces);
  // Other bytes cannot reach a model unchanged.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new UsageError('stdin is not UTF-8 text', LEAVE_OUT);
  return bytes.toString('utf8');
}

const LEAVE_OUT = 'to leave it out: --no-stdin';

/** Undefined where the program was started with stdin closed. */
function statOfStdin(): Stats | undefined {
  try {
    return fstatSync(STDIN);
  } catch {
    return undefined;
  }
}

/** Undefined where the pipe was silent for too long. */
async function collect(patienceMs: number | undefined): Promise<Buffer[] | undefined> {
  const { stdin } = process;
  const pieces: Buffer[] = [];
  let size = 0;
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    stdin.destroy();
  };
  const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
  try {
    for await (const piece of stdin as AsyncIterable<Buffer>) {
      timer?.refresh();
      pieces.push(piece);
      size += piece.length;
      if (size > LIMIT) throw new UsageError(`stdin has more than ${LIMIT} bytes`, LEAVE_OUT);
    }
    return pieces;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!isLate) throw new Error(`stdin cannot be read: ${messageOf(error)}`);
    printNote(
      size === 0
        ? 'note: stdin is open, but nothing came: continuing without it; to not wait for it: --no-stdin'
        : `note: stdin did not end: continuing without it, and without the ${size} bytes that came; ${LEAVE_OUT}`,
    );
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
