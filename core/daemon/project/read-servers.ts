import { keyNamesOf } from '../../config/mcp/fill-variables';
import { loadMcp } from '../../config/mcp/load-mcp';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import type { LlmDevice } from '../../devices/device';
import { buildServers } from '../../devices/mcp/build-servers';
import type { ServerSurroundings } from '../../devices/mcp/mcp-server';
import { samplingGrant } from '../../devices/mcp/sampling-grant';
import { pathOfServer, type ToolServer } from '../../devices/tool-server';
import type { Problem } from '../../errors';
import type { LimitBook } from '../../limits/limit-book';
import type { Paths } from '../../paths';
import type { Made } from '../../providers/facts';

/** The tool servers that the files of a project describe. */
export interface FoundServers {
  /** The variables with their keys. */
  variables: string[];
  /** The paths of those that wait for `drivebay trust`. */
  held: string[];
  problems: Problem[];
  warnings: Problem[];
  notices: Problem[];
  /** Makes the devices. Nothing of them starts. */
  make(parts: ServerParts): { made: Made<ToolServer>[]; warnings: Problem[] };
}

interface ServerParts {
  surroundings: Omit<ServerSurroundings, 'sampling'>;
  /** What they may ask, as far as their entries allow it. */
  devices: readonly LlmDevice[];
  limits: LimitBook | undefined;
  /** Those from before a reload. */
  earlier: ReadonlyMap<string, Made<ToolServer>> | undefined;
}

/** Reads the mcp.json of the user, and that of the project. */
export function readServers(paths: Paths, useProject: boolean): FoundServers {
  const { servers, held, problems, warnings, notices } = loadMcp(paths, useProject);
  return {
    variables: keyNamesOf(servers),
    held: held.map(({ name }) => pathOfServer(name)),
    problems,
    warnings,
    notices,
    make: ({ surroundings, devices, limits, earlier }) => {
      const found: Problem[] = [];
      const grant = (entry: ServerEntry) => samplingGrant(entry, devices, limits, found);
      return { made: buildServers(servers, surroundings, grant, earlier), warnings: found };
    },
  };
}
