import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, messageOf } from '../errors';
import type { Driver, DriverFactory } from '../contract/api';
import { markedUrl } from './fresh-code';

/** How long the import or the factory of a plug-in may take: an `await` that never settles must not hang the start. */
export const LOAD_LIMIT_MS = 10_000;

const EXTENSIONS = ['', '.js', '.cjs', '.mjs', '/index.js', '/index.cjs', '/index.mjs'];

/** Imports a plug-in's entry and returns its factory. Throws an Error with a message for the plug-in's author. */
export async function loadFactory(codeDirectory: string, main: string, mark?: string): Promise<DriverFactory> {
  return asFactory(await importEntry(codeDirectory, main, mark), main);
}

/** Runs a plug-in's entry and returns its default export. `mark`: of code that has changed since its first import. */
export async function importEntry(codeDirectory: string, main: string, mark?: string): Promise<unknown> {
  const file = resolveMain(codeDirectory, main);
  return unwrapDefault(await withLimit(importModule(file, mark), `importing ${main}`, LOAD_LIMIT_MS));
}

export function asFactory(exported: unknown, main: string): DriverFactory {
  if (isClass(exported)) {
    throw new Error(
      `${main} must export a driver factory as default, found a class: export default (context) => new ...`,
    );
  }
  if (typeof exported === 'function') return exported as DriverFactory;
  throw new Error(`${main} must export a driver factory as default, found ${describe(exported, 'no exports')}`);
}

/** A class cannot be called without `new`. */
function isClass(exported: unknown): boolean {
  return typeof exported === 'function' && /^class\b/.test(Function.prototype.toString.call(exported));
}

/** Checks the methods at load time, so that a missing one is reported before the first chat. */
export function asDriver(made: unknown): Driver {
  const methods = made as Partial<Record<keyof Driver, unknown>> | null | undefined;
  const missing = (['chat', 'check'] as const).filter((name) => typeof methods?.[name] !== 'function');
  if (missing.length === 0) return made as Driver;
  throw new Error(`the driver factory must return an object with ${missing.join(' and ')}, found ${describe(made)}`);
}

/** Whether there is a file for `main`. A package in TypeScript has it after its build. */
export function isBuilt(codeDirectory: string, main: string): boolean {
  return findMain(codeDirectory, main) !== undefined;
}

function resolveMain(codeDirectory: string, main: string): string {
  const file = findMain(codeDirectory, main);
  if (file !== undefined) return realpathSync(file);
  const message = `main "${main}" names no file in ${codeDirectory}`;
  throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' });
}

function findMain(codeDirectory: string, main: string): string | undefined {
  for (const extension of EXTENSIONS) {
    const file = join(codeDirectory, main) + extension;
    if (existsSync(file) && statSync(file).isFile()) return file;
  }
  return undefined;
}

/** Uses `require` for CommonJS, because it works under jest; for an ES module Node 20.19 would print a warning. */
async function importModule(file: string, mark: string | undefined): Promise<unknown> {
  const url = markedUrl(pathToFileURL(file).href, mark);
  if (isEsModule(file)) return import(url);
  try {
    return require(file) as unknown;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE') throw explainImport(error);
    return import(url);
  }
}

function isEsModule(file: string): boolean {
  if (extname(file) !== '.js') return extname(file) === '.mjs';
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return packageType(manifest) === 'module';
  }
  return false;
}

function packageType(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown } | null)?.type;
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
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

function describe(value: unknown, empty = 'an empty object'): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const keys = Object.keys(value);
  return keys.length === 0 ? empty : `an object with the keys ${keys.join(', ')}`;
}

/** Settles like `work`, or rejects after the limit. The timer keeps the process up meanwhile. */
export async function withLimit<T>(work: Promise<T>, what: string, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not finish within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
