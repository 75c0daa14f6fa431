import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createMcpServer } from '../../daemon/mcp-server/mcp-server';
import { messageOf, UsageError } from '../../errors';
import { isFolder } from '../../make-folder';
import { ancestorVariable } from '../../subprocess/ancestor-variable';
import { DEPTH_VARIABLE } from '../../subprocess/depth';
import { workingDirectory } from '../here';
import type { ServeOptions } from '../serve/serve-options';
import { printNote } from '../terminal/print';
import { StdioHost } from './stdio-host';
import { StdioTransport } from './stdio-transport';

interface McpServeOptions extends ServeOptions {
  http?: boolean;
  root?: string[];
}

/** All other options mean something at a gateway alone. */
const ON_STDIO = ['root', 'project'];

/** `mcp serve`: an MCP server until its client leaves, or at a gateway until a signal ends that. */
export async function mcpServe({ http, root, ...options }: McpServeOptions, command: Command): Promise<void> {
  const roots = root?.map(existingFolder);
  if (http) {
    const { serve } = await import('../serve/serve');
    return serve({ ...options, mcp: { roots: roots ?? [] } });
  }
  const flags = command.options.filter((option) => !ON_STDIO.includes(option.attributeName()));
  const useless = flags.find((option) => command.getOptionValueSource(option.attributeName()) === 'cli')?.long;
  if (useless) throw new UsageError(`${useless} is about a gateway`, `add --http, or leave ${useless} out`);
  await serveStdio({ project: options.project, roots });
}

/** `mcp` alone: for a client as `mcp serve`. A person gets the help. */
export async function mcpServePlain(command: Command): Promise<void> {
  if (process.stdin.isTTY) return command.help();
  await serveStdio({ project: true });
}

function existingFolder(given: string): string {
  const folder = resolve(workingDirectory(), given);
  if (isFolder(folder)) return folder;
  throw new UsageError(`--root ${given}: there is no such folder`, `looked for ${folder}`);
}

async function serveStdio({ project, roots }: { project: boolean; roots?: string[] }): Promise<void> {
  // Some agents start their servers with few variables.
  process.env[DEPTH_VARIABLE] ??= ancestorVariable(DEPTH_VARIABLE) ?? '0';
  const server = createMcpServer(new StdioHost({ project }, roots));
  if (process.stdin.isTTY)
    printNote('this is an MCP server: a client starts it and talks to it on stdin; Ctrl-C ends it');
  server.server.onerror = (error) => printNote(`warning: ${messageOf(error)}`);
  const hasLeft = new Promise<void>((resolve) => (server.server.onclose = resolve));
  await server.connect(new StdioTransport());
  await hasLeft;
}
