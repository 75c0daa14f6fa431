import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.*|node:.*):(\d+):(\d+)\)?$/;

/** With the longest path of Linux. */
const LONGEST_FRAME = 5000;

/** The frames of an error, the innermost first. A file of Node itself begins with `node:`. */
export function framesOf(error: unknown): { file: string; position: string }[] {
  const stack = stackOf(error);
  if (stack === undefined) return [];
  return stack.split('\n').flatMap((line) => {
    // The message stands in the stack, too, and may be a whole web page on one line.
    const isFrame = line.length < LONGEST_FRAME && /^\s+at /.test(line);
    const [, file, row, column] = (isFrame && FRAME.exec(line)) || [];
    if (file === undefined) return [];
    return [{ file: file.startsWith('file:') ? toPath(file) : file, position: `${row}:${column}` }];
  });
}

export function hasStack(error: unknown): boolean {
  return stackOf(error) !== undefined;
}

/** What a plug-in throws may be an object whose getters throw. */
function stackOf(error: unknown): string | undefined {
  try {
    const stack = (error as { stack?: unknown } | null | undefined)?.stack;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** The real path of a folder, as stacks have it, with a separator behind it. */
export function realFolder(directory: string): string {
  return (existsSync(directory) ? realpathSync(directory) : directory) + sep;
}

/** A text about an error, and behind it the place where the error was thrown, if that is in the folder. */
export function withPlace(text: string, directory: string, error: unknown): string {
  const place = placeIn(directory, error);
  return place === undefined ? text : `${text} (${place})`;
}

/** The place where an error was thrown, as `index.js:34:9`; undefined if it is not in the folder. */
export function placeIn(directory: string, error: unknown): string | undefined {
  const folder = realFolder(directory);
  for (const { file, position } of framesOf(error)) {
    const inside = file.slice(folder.length);
    // A package is seldom at fault: the line that calls it says more.
    if (file.startsWith(folder) && !inside.split(sep).includes('node_modules')) return `${inside}:${position}`;
  }
  return undefined;
}
