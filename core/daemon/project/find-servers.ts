import { mcpFilesOf } from '../../config/mcp/find-mcp-files';
import { statRegularFile } from '../../config/small-file';
import type { Paths } from '../../paths';
import type { FoundServers } from './read-servers';

export const NO_SERVERS: FoundServers = {
  variables: [],
  held: [],
  problems: [],
  warnings: [],
  notices: [],
  make: () => ({ made: [], warnings: [] }),
};

/** The tool servers of a project. Speed: most users have no mcp.json, and without one nothing of tool servers is loaded. */
export function findServers(paths: Paths, useProject: boolean): FoundServers {
  if (mcpFilesOf(paths, useProject).every((file) => statRegularFile(file).state === 'absent')) return NO_SERVERS;
  const { readServers } = require('./read-servers') as typeof import('./read-servers');
  return readServers(paths, useProject);
}
