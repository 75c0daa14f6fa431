import { variablesIn } from '../../config/mcp/fill-variables';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import { isCredentialField } from '../../config/secrets';
import type { ToolServer } from '../tool-server';
import { McpServer, type ServerSurroundings } from './mcp-server';

/** Makes the devices of tool servers. Nothing of them starts. */
export function buildServers(entries: readonly ServerEntry[], surroundings: ServerSurroundings): ToolServer[] {
  return entries.map((entry) => new McpServer(entry, surroundings));
}

/** The variables with keys of servers: a terminal brings them to the daemon as it brings those of providers. */
export function keyNamesOf(entries: readonly ServerEntry[]): string[] {
  const texts = entries.flatMap(({ values: { env = {}, headers = {} } }) => Object.entries({ ...env, ...headers }));
  return texts.flatMap(([field, text]) => {
    const names = variablesIn(text);
    return isCredentialField(field) ? names : names.filter(isCredentialField);
  });
}
