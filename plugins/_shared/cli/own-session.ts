import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Call } from 'drivebay/plugin';
import { type Fields, isFields, parseJson } from '../fields';

/** How far from the end of a file its last turn may begin. A longer turn is not worth going on with. */
const TAIL_BYTES = 4 * 1024 * 1024;

export interface SessionOptions {
  /** Whether the program keeps the sessions of agent processes. */
  keep_sessions: boolean;
}

/** Whether the program is to keep the session of a call. `off`: arguments of the user that switch sessions off. */
export function keepsSession(
  { workspace }: Call,
  { keep_sessions: keeps, extra_args: extra = [] }: SessionOptions & { extra_args?: readonly string[] },
  off: readonly string[] = [],
): boolean {
  return keeps && workspace !== undefined && !extra.some((argument) => off.includes(argument));
}

/** Names an account without telling anything of it. What a model has signed is of use to its own account alone. */
export function accountMark(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64').slice(0, 16);
}

/** The last line of a file in lines of JSON that is wanted, as far back as the limit. Rejects where there is no such file. */
export async function lastLine(file: string, isWanted: (line: Fields) => boolean): Promise<Fields | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The first one may be half a line.
    for (let index = lines.length - 1; index >= (start > 0 ? 1 : 0); index -= 1) {
      const line = parseJson(lines[index]!);
      if (isFields(line) && isWanted(line)) return line;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}
