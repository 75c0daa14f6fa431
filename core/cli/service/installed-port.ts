import { readFile } from 'node:fs/promises';

/** The port that a unit file of ours tells `serve` to use. */
export async function installedPort(file: string): Promise<number | undefined> {
  // Of both kinds of file: in one the two words are separated by a space, in the other by the tags around them.
  const port = /--port(?:\s|<[^>]*>)+(\d+)/.exec(await readFile(file, 'utf8'))?.[1];
  return port === undefined ? undefined : Number(port);
}
