import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cosmiconfigSync, type LoaderSync } from 'cosmiconfig';
import { howToMove, type Paths } from '../paths';
import { type Document, readDocument } from './document';
import { statRegularFile } from './small-file';

/** A configuration file with its content, or the path of a missing one. */
export interface ConfigSource {
  file: string;
  document: Document;
  /** Files beside it with another of the names: nothing reads them. Absent: there are none. */
  ignored?: readonly string[];
}

export interface ConfigSources {
  global: ConfigSource;
  /** Absent outside of a project. */
  project?: ConfigSource;
}

/** The possible names of the file. The first existing file counts. */
const NAMES = ['providers.yaml', 'providers.yml', 'providers.json'];

/** Finds and reads the user's file and the project's. */
export function findConfig({ configHome, userConfig, projectFolder }: Paths): ConfigSources {
  const preferred = search(configHome);
  const global = preferred.document.exists ? preferred : search(userConfig);
  return { global: withWayOut(global), project: projectFolder === undefined ? undefined : search(projectFolder) };
}

/** The paths that `findConfig` tries in a folder. */
export function configPlaces(folder: string): string[] {
  return NAMES.map((name) => join(folder, name));
}

/** Says for a file of the user that cannot be read how to move its folder. */
export function withWayOut(source: ConfigSource): ConfigSource {
  for (const problem of source.document.problems) {
    if (problem.message.includes('cannot be read')) problem.hint ??= howToMove('configHome');
  }
  return source;
}

export function configAt(file: string): ConfigSource {
  return { file, document: readDocument(file) };
}

function search(folder: string): ConfigSource {
  const places = configPlaces(folder);
  const [file = places[0]!, ...others] = places.filter((place) => statRegularFile(place).state !== 'absent');
  // In a folder that cannot be read none of them is known to be there.
  const ignored = others.filter((place) => existsSync(place));
  return { ...read(folder, file), ...(ignored.length > 0 && { ignored }) };
}

function read(folder: string, file: string): ConfigSource {
  // cosmiconfig would block on a pipe, skip a directory, and search the parents of a missing folder.
  if (statRegularFile(file).state !== 'ok') return configAt(file);
  try {
    const found = explore(folder);
    if (found?.config) return { file: found.filepath, document: found.config as Document };
  } catch {
    // cosmiconfig reads the file too, and throws what the system says of one that cannot be read. Our reader says it in words.
  }
  return configAt(file);
}

/**
 * Uses version 7 of cosmiconfig, because later versions run `.config/config.js` of the working directory. All loaders are
 * ours, so that a cloned project cannot run code and values keep their places.
 */
function explore(folder: string) {
  const load: LoaderSync = (file) => readDocument(file);
  const loaders = { '.yaml': load, '.yml': load, '.json': load, '.js': load, '.cjs': load, noExt: load };
  return cosmiconfigSync('drivebay', { searchPlaces: NAMES, loaders, stopDir: folder, cache: false }).search(folder);
}
