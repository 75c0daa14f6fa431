import type { ServerEntry } from '../../config/mcp/mcp-file';
import { changedFacts, type Facts, factsOf } from '../../providers/facts';
import type { ToolServer } from '../tool-server';
import { McpServer, type ServerSurroundings } from './mcp-server';

/** A tool server, and what it was made of. */
export interface MadeServer {
  server: ToolServer;
  facts: Facts;
}

/** Makes the devices of tool servers. Nothing of them starts. Those of before a reload are kept where they stay the same. */
export function buildServers(
  entries: readonly ServerEntry[],
  surroundings: ServerSurroundings,
  earlier: ReadonlyMap<string, MadeServer> = new Map(),
): MadeServer[] {
  return entries.map((entry) => {
    const facts = factsOf({ ...entry.values, file: entry.place.file });
    const before = earlier.get(entry.name);
    if (before && changedFacts(before.facts, facts).length === 0) return before;
    return { server: new McpServer(entry, surroundings), facts };
  });
}
