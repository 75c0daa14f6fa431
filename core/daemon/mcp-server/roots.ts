import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { reasonOf } from '../../devices/mcp/reason-of';
import { HintedError } from '../../errors';

const ANSWER_LIMIT_MS = 10_000;

/** The folders whose files may be read: those that the client names, within the bounds of the server. */
export async function readableRoots(
  { server }: Pick<McpServer, 'server'>,
  bounds: readonly string[] | undefined,
): Promise<string[]> {
  const own = bounds?.flatMap(realFolder);
  if (!server.getClientCapabilities()?.roots) return own ?? [];
  const { roots } = await server.listRoots(undefined, { timeout: ANSWER_LIMIT_MS }).catch((error: unknown) => {
    const message = `the client has not said which folders it works in: ${reasonOf(error)}`;
    throw new HintedError(message, 'leave files and images out, or correct the roots of the client');
  });
  const named = roots.flatMap(({ uri }) => folderOf(uri));
  return own ? [...new Set(named.flatMap((root) => commonFolders(root, own)))] : named;
}

/** Whether a path is that of a folder, or below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function folderOf(uri: string): string[] {
  try {
    return realFolder(fileURLToPath(uri));
  } catch {
    // Roots of other schemes are no folders of this machine.
    return [];
  }
}

/** Empty for a folder that is not there. */
export function realFolder(folder: string): string[] {
  try {
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

function commonFolders(root: string, bounds: readonly string[]): string[] {
  return bounds.flatMap((bound) => (isBelow(bound, root) ? [root] : isBelow(root, bound) ? [bound] : []));
}
