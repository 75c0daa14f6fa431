import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.*):(\d+):(\d+)\)?$/;

/** The place where an error was thrown, as `index.js:34:9`; undefined if it is not in the folder. */
export function placeIn(directory: string, error: unknown): string | undefined {
  const stack = (error as { stack?: unknown } | null | undefined)?.stack;
  if (typeof stack !== 'string') return undefined;
  const folder = (existsSync(directory) ? realpathSync(directory) : directory) + sep;
  for (const frame of stack.split('\n')) {
    const [, file = '', line, column] = FRAME.exec(frame) ?? [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    const inside = path.slice(folder.length);
    // A package is seldom at fault: the line that calls it says more.
    if (path.startsWith(folder) && !inside.split(sep).includes('node_modules')) return `${inside}:${line}:${column}`;
  }
  return undefined;
}
