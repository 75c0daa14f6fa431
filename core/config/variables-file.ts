import { parse } from 'dotenv';
import { readSmallFile } from './small-file';

/** What a file of `NAME=value` lines sets; nothing where it cannot be read. */
export function readVariables(file: string): Record<string, string> {
  const content = readSmallFile(file);
  return content.state === 'ok' ? parse(content.value) : {};
}
