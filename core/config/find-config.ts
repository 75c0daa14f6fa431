import { join } from 'node:path';
import { cosmiconfigSync, type LoaderSync } from 'cosmiconfig';
import { howToMove, type Paths } from '../paths';
import { type Document, readDocument } from './document';
import { statRegularFile } from './small-file';

/** A configuration file with its content, or the path of a missing one. */
export interface ConfigSource {
  file: string;
  document: Document;
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
  for (const problem of global.document.problems) {
    if (problem.message.includes('cannot be read')) problem.hint ??= howToMove('configHome');
  }
  return { global, project: projectFolder === undefined ? undefined : search(projectFolder) };
}

/** The paths that `findConfig` tries in a folder. */
export function configPlaces(folder: string): string[] {
  return NAMES.map((name) => join(folder, name));
}

export function configAt(file: string): ConfigSource {
  return { file, document: readDocument(file) };
}

function search(folder: string): ConfigSource {
  const [usual, ...others] = configPlaces(folder);
  const file = [usual!, ...others].find((place) => statRegularFile(place).state !== 'absent') ?? usual!;
  // cosmiconfig would block on a pipe, skip a directory, and search the parents of a missing folder.
  if (statRegularFile(file).state !== 'ok') return configAt(file);
  const found = tryExplore(folder);
  return found?.config ? { file: found.filepath, document: found.config as Document } : configAt(file);
}

/** cosmiconfig reads the file too, and throws what the system says of one that cannot be read. Our reader says it in words. */
function tryExplore(folder: string) {
  try {
    return explore(folder);
  } catch {
    return undefined;
  }
}

/**
 * Uses version 7 of cosmiconfig, because later versions run `.config/config.js` of the working directory. All loaders are
 * ours, so that a cloned project cannot run code and values keep their places.
 */
function explore(folder: string) {
  const read: LoaderSync = (file) => readDocument(file);
  const loaders = { '.yaml': read, '.yml': read, '.json': read, '.js': read, '.cjs': read, noExt: read };
  return cosmiconfigSync('drivebay', { searchPlaces: NAMES, loaders, stopDir: folder, cache: false }).search(folder);
}
