import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** How far back a stack leads: a package of the driver may stand between its code and the call. */
const DEEP = 50;

/** Whether the code that runs now was called by code in the folder. Sees no code that is called later. */
export function calledFrom(folder: string): () => boolean {
  const real = realpathSync(folder);
  const names = [...new Set([folder, real].flatMap((path) => [`${path}/`, `${pathToFileURL(path).href}/`]))];
  return () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = DEEP;
    const { stack = '' } = new Error();
    Error.stackTraceLimit = stackTraceLimit;
    return names.some((name) => stack.includes(name));
  };
}
