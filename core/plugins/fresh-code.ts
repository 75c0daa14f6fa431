import { existsSync, realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { sep } from 'node:path';

interface Imported {
  print: string;
  /** Told to ES modules in their address, so that Node runs them anew. Absent: the code is that of the first import. */
  mark?: string;
}

/** What this process has imported, by the folder of the code. All projects of a daemon share the modules. */
const imported = new Map<string, Imported>();

const MARK = 'drivebay';

/**
 * To be called before the code of a plug-in is imported: lets go of the modules of a folder whose code is another than before.
 * Code that runs already keeps its own. Returns what `markedUrl` needs.
 */
export function renewCode(codeDirectory: string, print: string): string | undefined {
  const before = imported.get(codeDirectory);
  if (before?.print === print) return before.mark;
  const mark = before && print;
  imported.set(codeDirectory, { print, mark });
  if (mark !== undefined) {
    forgetModules(codeDirectory);
    passMarksOn();
  }
  return mark;
}

/** The address of a module. Node has one instance of an ES module for each address. */
export function markedUrl(url: string, mark: string | undefined): string {
  return mark === undefined ? url : `${url}?${MARK}=${mark}`;
}

/** Forgets the CommonJS modules below a folder. A native addon cannot be loaded twice, so it stays. */
function forgetModules(codeDirectory: string): void {
  const folder = (existsSync(codeDirectory) ? realpathSync(codeDirectory) : codeDirectory) + sep;
  const isStale = (file: string) => file.startsWith(folder) && !file.endsWith('.node');
  for (const file of Object.keys(require.cache)) if (isStale(file)) delete require.cache[file];
  // Each module also lists those that it was the first to load, and would keep all earlier ones in memory.
  for (const loaded of Object.values(require.cache)) {
    if (loaded) loaded.children = loaded.children.filter(({ filename }) => !filename || !isStale(filename));
  }
}

interface Found {
  url: string;
}

/** Node 22.15 and later run hooks in the same thread. */
interface Hooks {
  registerHooks?: (hooks: {
    resolve(specifier: string, context: { parentURL?: string }, next: (specifier: string) => Found): Found;
  }) => unknown;
}

let isPassedOn = false;

/** Makes a marked ES module import the files beside it with its own mark. Packages are imported as they are. */
function passMarksOn(): void {
  if (isPassedOn) return;
  isPassedOn = true;
  const { registerHooks } = nodeModule as Hooks;
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) => withMark(specifier, context.parentURL, next(specifier), MARK),
    });
    return;
  }
  const hook = `const withMark = ${withMark.toString()};
    export const resolve = async (specifier, context, next) =>
      withMark(specifier, context.parentURL, await next(specifier, context), '${MARK}');`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/** Uses nothing from outside of it: on Node 20 its text runs in a thread of Node. */
function withMark(specifier: string, parent: string | undefined, found: Found, name: string): Found {
  const mark = new RegExp(`[?&]${name}=([^&#]+)`).exec(parent ?? '');
  if (!mark || !/^(\.{0,2}\/|#|file:)/.test(specifier)) return found;
  if (!found.url.startsWith('file:') || found.url.includes('?')) return found;
  return { ...found, url: `${found.url}?${name}=${mark[1]}` };
}
