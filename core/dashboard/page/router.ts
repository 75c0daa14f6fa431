import { useLayoutEffect, useState } from 'preact/hooks';

/** The views in the order of the header, with their titles. The key is the address, except for the overview. */
export const VIEWS = { overview: 'Overview', processes: 'Processes', requests: 'Requests', usage: 'Usage', try: 'Try' };

export interface Route {
  view: keyof typeof VIEWS | 'unknown';
  /** One process, in place of the list of processes. */
  pid?: number;
}

/** The hash holds the route, so that a reload stays there and Back works. */
function parseRoute(hash: string): Route {
  const path = hash.replace(/^#\/?/, '') || 'overview';
  const pid = /^processes\/([1-9]\d{0,8})$/.exec(path)?.[1];
  if (pid !== undefined) return { view: 'processes', pid: Number(pid) };
  return { view: Object.hasOwn(VIEWS, path) ? (path as Route['view']) : 'unknown' };
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    // The hash may have changed since the first render.
    follow();
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(hash);
}
