import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.*|node:.*):(\d+):(\d+)\)?$/;

/** The frames of an error, the innermost first. A file of Node itself begins with `node:`. */
export function framesOf(error: unknown): { file: string; position: string }[] {
  const stack = (error as { stack?: unknown } | null | undefined)?.stack;
  if (typeof stack !== 'string') return [];
  return stack.split('\n').flatMap((line) => {
    const [, file, row, column] = FRAME.exec(line) ?? [];
    if (file === undefined) return [];
    return [{ file: file.startsWith('file:') ? fileURLToPath(file) : file, position: `${row}:${column}` }];
  });
}

/** The place where an error was thrown, as `index.js:34:9`; undefined if it is not in the folder. */
export function placeIn(directory: string, error: unknown): string | undefined {
  const folder = (existsSync(directory) ? realpathSync(directory) : directory) + sep;
  for (const { file, position } of framesOf(error)) {
    const inside = file.slice(folder.length);
    // A package is seldom at fault: the line that calls it says more.
    if (file.startsWith(folder) && !inside.split(sep).includes('node_modules')) return `${inside}:${position}`;
  }
  return undefined;
}
