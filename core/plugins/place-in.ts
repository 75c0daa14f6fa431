import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.*):(\d+):(\d+)\)?$/;

/** Where in a folder something was thrown, for example `index.js:34:9`; undefined for what was thrown elsewhere. */
export function placeIn(directory: string, error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('stack' in error) || typeof error.stack !== 'string')
    return undefined;
  const folder = realPath(directory) + sep;
  for (const frame of error.stack.split('\n')) {
    const [, file = '', line, column] = FRAME.exec(frame) ?? [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (!path.startsWith(folder)) continue;
    const inside = path.slice(folder.length);
    // A package that it calls is seldom at fault, and its own line says what it asked for.
    if (!inside.split(sep).includes('node_modules')) return `${inside}:${line}:${column}`;
  }
  return undefined;
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
