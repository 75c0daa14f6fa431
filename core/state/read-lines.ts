import { createReadStream } from 'node:fs';
import { codeOf } from '../errors';

/**
 * The values of a file with one JSON value per line, read piece by piece. A line that is no JSON was torn when its
 * writer was killed, and is left out; a file that does not exist has no lines.
 */
export async function* readLines(path: string): AsyncGenerator<unknown, void> {
  let rest = '';
  try {
    for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      yield* parseLines(lines);
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  yield* parseLines([rest]);
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
