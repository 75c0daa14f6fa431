import type { IncomingMessage } from 'node:http';
import type { Mount } from './gateway-options';

/** The mount, where the path is its own, or a browser asks for the home page. */
export function mountAt(
  mount: Mount | undefined,
  path: string,
  { method, headers }: IncomingMessage,
): Mount | undefined {
  if (!mount) return undefined;
  // A browser asks for HTML; programs do not, and get JSON.
  const isHome = path === '/' && method === 'GET' && headers.accept?.includes('text/html');
  return isHome || path === mount.path || path.startsWith(`${mount.path}/`) ? mount : undefined;
}
