import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './repository';

const fixture = (name: string) => join(repository, 'test/fixtures/mcp', name);

/** The entry of the server of test/fixtures/mcp/tools.cjs, which leaves its signs in a folder. */
export const toolServer = (folder: string, more: Record<string, unknown> = {}) => ({
  command: process.execPath,
  args: [fixture('tools.cjs'), folder],
  ...more,
});

/** The entry of a server that misbehaves in one way. */
export const hostileServer = (way: string, extra = '') => ({
  command: process.execPath,
  args: [fixture('hostile.cjs'), way, extra],
});

export const mcpJson = (servers: Record<string, unknown>): string => JSON.stringify({ mcpServers: servers });

/** The numbers in a sign of the server: one for each start, call or child. */
export function signs(folder: string, name: string): number[] {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What has ended, and was not waited for, is no process any more.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
