import type { Call } from 'drivebay/plugin';
import type { Handed, HandedServer } from '../_shared/cli/tool-servers';

/**
 * The arguments with which the program has the tool servers of an agent, besides those of the user's own configuration. The
 * user has chosen them, so their tools run without a question. Tools that the agent may not use are taken away by name.
 */
export async function serverArguments({ servers, write }: Handed, { log }: Pick<Call, 'log'>): Promise<string[]> {
  const known = await Promise.all(
    servers.map(async (server) => {
      try {
        return [{ server, denied: (await server.others?.()) ?? [] }];
      } catch (error) {
        log.warn(`the tool server "${server.name}" is left out: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  const used = known.flat();
  if (used.length === 0) return [];
  const mcpServers = Object.fromEntries(used.map(({ server }) => [server.name, toEntry(server)]));
  const file = write('servers.json', JSON.stringify({ mcpServers }));
  const allowed = used.flatMap(
    ({ server: { name, only } }) => only?.map((tool) => ruleFor(name, tool)) ?? [`mcp__${name}`],
  );
  const denied = used.flatMap(({ server: { name }, denied }) => denied.map((tool) => ruleFor(name, tool)));
  const lists = Object.entries({ '--allowed-tools': allowed, '--disallowed-tools': denied });
  // Each takes any number of values, so another flag must follow.
  return ['--mcp-config', file, ...lists.flatMap(([flag, rules]) => (rules.length > 0 ? [flag, ...rules] : []))];
}

function toEntry({ reach, timeoutMs: timeout }: HandedServer): object {
  if (reach.kind === 'script') return { command: reach.command, args: reach.args, timeout };
  const { url, headers, type } = reach;
  return { type, url, headers, timeout };
}

/** The program replaces other characters in the names of tools. */
const ruleFor = (server: string, tool: string) => `mcp__${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`;
