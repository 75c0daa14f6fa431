import { createReadStream } from 'node:fs';
import { parseJson } from '../fields';
import { codeOf } from '../errors';

/**
 * The values of a file with one JSON value per line, read piece by piece. A file that does not exist has no lines.
 * `isWanted` leaves lines out before they are parsed, because parsing takes most of the time. Undefined stands for a line that
 * was torn when its writer was killed. Blank lines have no value.
 */
export async function* readLines(
  path: string,
  isWanted: (line: string) => boolean = () => true,
): AsyncGenerator<unknown, void> {
  let rest = '';
  try {
    for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = piece.split('\n');
      // Joined only where a line ends: a damaged file may be one line of many megabytes.
      lines[0] = rest + lines[0]!;
      rest = lines.pop()!;
      for (const line of lines) if (isWanted(line) && line.trim() !== '') yield parseJson(line);
    }
  } catch (error) {
    // The error of a read names no path, and the path tells which folder of ours it is about.
    if (codeOf(error) !== 'ENOENT') throw Object.assign(error as Error, { path });
  }
  if (isWanted(rest) && rest.trim() !== '') yield parseJson(rest);
}

/** Another daemon may drop a file at the same time, and a new installation has no folder. */
export async function unlessGone<Found, Instead>(work: Promise<Found>, instead: Instead): Promise<Found | Instead> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  }
}
