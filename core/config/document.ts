import { isUtf8 } from 'node:buffer';
import type { Problem } from '../errors';
import type { Located } from './located';
import { parseYaml } from './parse-yaml';
import { readSmallFile } from './small-file';

export interface Document {
  /** Whether the path exists, usable or not. */
  exists: boolean;
  /** Absent for a missing or broken file. */
  root?: Located;
  text?: string;
  problems: Problem[];
}

/** Reads a YAML file. Returns every fault as a problem. */
export function readDocument(file: string): Document {
  const content = readSmallFile(file);
  if (content.state === 'absent') return { exists: false, problems: [] };
  if (content.state === 'unusable') return broken(file, `the file ${content.reason}`);
  if (!isUtf8(content.value)) return toBeSaved(broken(file, 'the file is not UTF-8 text'));
  const zero = content.value.indexOf(0);
  if (zero !== -1) return toBeSaved(broken(file, `the file is not UTF-8 text: it has a zero byte at offset ${zero}`));
  // Removes a byte order mark, too.
  return documentOf(file, new TextDecoder().decode(content.value));
}

/** The document that a file would be with this text. */
export function documentOf(file: string, text: string): Document {
  return { exists: true, text, ...parseYaml(file, text) };
}

function broken(file: string, message: string): Document {
  return { exists: true, problems: [{ message, place: { file } }] };
}

/** Another encoding, as editors of Windows may choose it. */
function toBeSaved(document: Document): Document {
  for (const problem of document.problems) problem.hint = 'save it as UTF-8';
  return document;
}
