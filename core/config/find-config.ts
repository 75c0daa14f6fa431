import { join } from 'node:path';
import { cosmiconfigSync, type LoaderSync } from 'cosmiconfig';
import type { Paths } from '../paths';
import { type Document, readDocument } from './document';
import { statRegularFile } from './small-file';

/** A configuration file with its content, or the place where it would be. */
export interface ConfigSource {
  file: string;
  document: Document;
}

export interface ConfigSources {
  global: ConfigSource;
  /** Absent outside of a project. */
  project?: ConfigSource;
}

/** The names that the file may have. The first one that exists counts. */
const NAMES = ['providers.yaml', 'providers.yml', 'providers.json'];

/** Finds and reads the user's file and the project's. */
export function findConfig({ configHome, userConfig, projectFolder }: Paths): ConfigSources {
  const preferred = search(configHome);
  const global = preferred.document.exists ? preferred : search(userConfig);
  return { global, project: projectFolder === undefined ? undefined : search(projectFolder) };
}

/** Every path that `findConfig` looks at in a folder. */
export function configPlaces(folder: string): string[] {
  return NAMES.map((name) => join(folder, name));
}

/** One file, whatever its name is. */
export function configAt(file: string): ConfigSource {
  return { file, document: readDocument(file) };
}

function search(folder: string): ConfigSource {
  const [usual, ...others] = configPlaces(folder);
  const file = [usual!, ...others].find((place) => statRegularFile(place).state !== 'absent') ?? usual!;
  // cosmiconfig waits for a pipe, passes over a directory, and searches the parents of a folder that does not exist.
  if (statRegularFile(file).state !== 'ok') return configAt(file);
  const found = explore(folder);
  return found?.config ? { file: found.filepath, document: found.config as Document } : configAt(file);
}

/**
 * Version 7 of cosmiconfig: from 8 on it also reads the configuration of its own, and runs `.config/config.js` of the
 * working directory. Every loader is ours, so a cloned project cannot have code run, and values keep their places.
 */
function explore(folder: string) {
  const read: LoaderSync = (file) => readDocument(file);
  const loaders = { '.yaml': read, '.yml': read, '.json': read, '.js': read, '.cjs': read, noExt: read };
  return cosmiconfigSync('drivebay', { searchPlaces: NAMES, loaders, stopDir: folder, cache: false }).search(folder);
}
