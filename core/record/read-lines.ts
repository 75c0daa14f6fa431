import { createReadStream } from 'node:fs';
import { codeOf } from '../errors';

/**
 * The values of a file with one JSON value per line, read piece by piece. A line that is no JSON was torn when its
 * writer was killed, and is left out; a file that does not exist has no lines. `isWanted` leaves lines out before they
 * are parsed, which is most of the work.
 */
export async function* readLines(
  path: string,
  isWanted: (line: string) => boolean = () => true,
): AsyncGenerator<unknown, void> {
  let rest = '';
  try {
    for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      yield* parseLines(lines.filter(isWanted));
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  yield* parseLines([rest].filter(isWanted));
}

/** The values of lines that can be read. */
export function* parseLines(lines: Iterable<string>): Generator<unknown, void> {
  for (const line of lines) {
    if (line === '') continue;
    try {
      yield JSON.parse(line) as unknown;
    } catch {
      // Torn.
    }
  }
}
