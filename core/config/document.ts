import type { Problem } from '../errors';
import type { Located } from './located';
import { parseYaml } from './parse-yaml';
import { readSmallFile } from './small-file';

export interface Document {
  /** Whether there is anything at the path, usable or not. */
  exists: boolean;
  /** Absent when the file is absent or broken. */
  root?: Located;
  /** The text that `root` was read from. */
  text?: string;
  problems: Problem[];
}

/** Reads a YAML file. Whatever is wrong with it comes back as problems. */
export function readDocument(file: string): Document {
  const content = readSmallFile(file);
  if (content.state === 'absent') return { exists: false, problems: [] };
  if (content.state === 'unusable') return broken(file, `the file ${content.reason}`);
  const text = decode(content.value);
  if (text === undefined) return broken(file, 'the file is not UTF-8 text');
  return { exists: true, text, ...parseYaml(file, text) };
}

function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function broken(file: string, message: string): Document {
  return { exists: true, problems: [{ message, place: { file } }] };
}
