import type { ServerEntry } from '../../config/mcp/mcp-file';
import { changedFacts, type Facts, factsOf } from '../../providers/facts';
import type { LlmDevice } from '../device';
import type { ToolServer } from '../tool-server';
import type { SamplingGrant } from './sampling';
import { McpServer, type ServerSurroundings } from './mcp-server';

/** A tool server, and what it was made of. */
export interface MadeServer {
  server: ToolServer;
  facts: Facts;
}

const numbers = new WeakMap<LlmDevice, number>();
let count = 0;

/** Each device has a number of its own. A server keeps the device that it asks, so it is made anew when that device is. */
function numberOf(device: LlmDevice): number {
  const number = numbers.get(device) ?? ++count;
  numbers.set(device, number);
  return number;
}

/** Makes the devices of tool servers. Nothing of them starts. Those from before a reload are kept where they stay the same. */
export function buildServers(
  entries: readonly ServerEntry[],
  surroundings: Omit<ServerSurroundings, 'sampling'>,
  grant: (entry: ServerEntry) => SamplingGrant | undefined,
  earlier: ReadonlyMap<string, MadeServer> = new Map(),
): MadeServer[] {
  return entries.map((entry) => {
    const sampling = grant(entry);
    const asks = sampling && numberOf(sampling.device);
    const facts = factsOf({ ...entry.values, file: entry.place.file, 'what it asks': asks });
    const before = earlier.get(entry.name);
    if (before && changedFacts(before.facts, facts).length === 0) return before;
    return { server: new McpServer(entry, { ...surroundings, ...(sampling && { sampling }) }), facts };
  });
}
