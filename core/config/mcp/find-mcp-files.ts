import { join } from 'node:path';
import type { Paths } from '../../paths';
import { configPlaces } from '../find-config';
import { statRegularFile } from '../small-file';

const MCP_FILE = 'mcp.json';

export type McpPaths = Pick<Paths, 'configHome' | 'userConfig' | 'projectFolder'>;

/**
 * The files of tool servers. That of the user stands beside providers.yaml: in the configuration folder, where it or
 * providers.yaml is there.
 */
export function findMcpFiles({ configHome, userConfig, projectFolder }: McpPaths): {
  global: string;
  project?: string;
} {
  const isThere = (file: string) => statRegularFile(file).state !== 'absent';
  const hasMoved = configHome !== userConfig && [join(configHome, MCP_FILE), ...configPlaces(configHome)].some(isThere);
  const global = join(hasMoved ? configHome : userConfig, MCP_FILE);
  return { global, project: projectFolder === undefined ? undefined : join(projectFolder, MCP_FILE) };
}

/** The files that count for a project, or for all folders, also where they do not exist. */
export function mcpFilesOf(paths: McpPaths, useProject: boolean): string[] {
  const { global, project } = findMcpFiles(paths);
  return [global, ...(useProject && project !== undefined ? [project] : [])];
}
