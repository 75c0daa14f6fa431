import type { ServerEntry } from '../../config/mcp/mcp-file';
import { changedFacts, factsOf, type Made } from '../../providers/facts';
import type { LlmDevice } from '../device';
import type { ToolServer } from '../tool-server';
import type { SamplingGrant } from './sampling';
import { McpServer, type ServerSurroundings } from './mcp-server';

const numbers = new WeakMap<LlmDevice, number>();
let count = 0;

/** Each device has its own number. A server keeps the device that it asks, so it is created again when that device is. */
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
  earlier: ReadonlyMap<string, Made<ToolServer>> = new Map(),
): Made<ToolServer>[] {
  return entries.map((entry) => {
    const sampling = grant(entry);
    const asks = sampling && numberOf(sampling.device);
    const facts = factsOf({ ...entry.values, file: entry.place.file, 'what it asks': asks });
    const before = earlier.get(entry.name);
    if (before && changedFacts(before.facts, facts).length === 0) return before;
    return { device: new McpServer(entry, { ...surroundings, ...(sampling && { sampling }) }), facts };
  });
}
