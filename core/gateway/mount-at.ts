import type { IncomingMessage } from 'node:http';
import type { Mount } from './gateway-options';

/** The mount whose path it is, or that is at home where or a browser asks for the home page. */
export function mountAt(
  mounts: readonly Mount[] | undefined,
  path: string,
  { method, headers }: IncomingMessage,
): Mount | undefined {
  // A browser asks for HTML; programs do not, and get JSON.
  const asksForHome = path === '/' && method === 'GET' && headers.accept?.includes('text/html');
  return mounts?.find(
    (mount) => (asksForHome && mount.isHome) || path === mount.path || path.startsWith(`${mount.path}/`),
  );
}
