import * as nodeModule from 'node:module';
import { realFolder } from './place-in';

const MARK = 'drivebay';

/** Lets go of the modules of a folder whose code is another than before. Code that runs already keeps its own. */
export function renewCode(codeDirectory: string): void {
  forgetModules(codeDirectory);
  passMarksOn();
}

/** The address of a module. Node has one instance of an ES module for each address. */
export function markedUrl(url: string, mark: string | undefined): string {
  return mark === undefined ? url : `${url}?${MARK}=${mark}`;
}

/** Forgets the CommonJS modules below a folder. A native addon cannot be loaded twice, so it stays. */
function forgetModules(codeDirectory: string): void {
  const folder = realFolder(codeDirectory);
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
