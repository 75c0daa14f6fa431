import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, messageOf } from '../errors';
import type { DriverFactory } from './api';

/** How long an import or a factory may take. A top-level await that never settles would otherwise hang the start. */
export const LOAD_LIMIT_MS = 10_000;

const EXTENSIONS = ['', '.js', '.cjs', '.mjs', '/index.js', '/index.cjs', '/index.mjs'];

/** Imports a plug-in's entry and returns its factory. Throws an Error with a message for the plug-in's author. */
export async function loadFactory(codeDirectory: string, main: string): Promise<DriverFactory> {
  const file = resolveMain(codeDirectory, main);
  const exported = unwrapDefault(await withLimit(importModule(file), `importing ${main}`));
  if (typeof exported === 'function') return exported as DriverFactory;
  throw new Error(`${main} must export a driver factory as default, found ${describe(exported)}`);
}

/** Settles like `work`, or fails after the limit. The timer stays referenced: it keeps the process up meanwhile. */
export async function withLimit<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} did not finish within ${LOAD_LIMIT_MS / 1000} s`)),
      LOAD_LIMIT_MS,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function resolveMain(codeDirectory: string, main: string): string {
  for (const extension of EXTENSIONS) {
    const file = join(codeDirectory, main) + extension;
    if (existsSync(file) && statSync(file).isFile()) return realpathSync(file);
  }
  throw new Error(`main "${main}" names no file in ${codeDirectory}`);
}

/**
 * `require` where it can, because it also works where `import()` is not available (jest), `import()` for ES modules.
 * Node 20.19 could `require` an ES module, but prints a warning for it.
 */
async function importModule(file: string): Promise<unknown> {
  if (isEsModule(file)) return import(pathToFileURL(file).href);
  try {
    return require(file) as unknown;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE') throw explainImport(error);
    return import(pathToFileURL(file).href);
  }
}

function isEsModule(file: string): boolean {
  if (extname(file) !== '.js') return extname(file) === '.mjs';
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }).type === 'module';
  }
  return false;
}

/** Says which of the two module formats the file is written in when it is loaded as the other. */
function explainImport(error: unknown): unknown {
  if (!/Cannot use import statement|Unexpected token 'export'/.test(messageOf(error))) return error;
  return new Error(`${messageOf(error)}; add "type": "module" to its package.json, or name the file .mjs`);
}

/** A TypeScript build of a CommonJS module puts the default export one level deeper. */
function unwrapDefault(value: unknown): unknown {
  for (let depth = 0; depth < 2; depth += 1) {
    if (typeof value === 'function' || typeof value !== 'object' || value === null || !('default' in value)) break;
    value = value.default;
  }
  return value;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'no exports' : `an object with the keys ${keys.join(', ')}`;
}
