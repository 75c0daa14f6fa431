import { dirname } from 'node:path';
import { configPlaces, type ConfigSource, type ConfigSources, findConfig } from '../../config/find-config';
import { mcpFilesOf } from '../../config/mcp/find-mcp-files';
import type { Paths } from '../../paths';

interface Wanted {
  source?: ConfigSource;
  useProject: boolean;
}

/** The configuration files that a project reads. */
export function sourcesOf(paths: Paths, { source, useProject }: Wanted): ConfigSources {
  if (source) return { global: source };
  const { global, project } = findConfig(paths);
  return { global, project: useProject ? project : undefined };
}

/** The files in use, and those that would be used instead if they existed. */
export function searchedFiles(
  { global, project }: ConfigSources,
  paths: Paths,
  { source, useProject }: Wanted,
): string[] {
  if (source) return [source.file];
  const own = [global, project].flatMap((each) => (each ? configPlaces(dirname(each.file)) : []));
  return [...own, ...mcpFilesOf(paths, useProject)];
}
