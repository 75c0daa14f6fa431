import { useLayoutEffect, useState } from 'preact/hooks';

export type Route =
  { view: 'overview' | 'processes' | 'requests' | 'usage' } | { view: 'process'; pid: number } | { view: 'unknown' };

/** The hash holds the route, so that a reload stays there and Back works. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#\/?/, '');
  if (path === '') return { view: 'overview' };
  if (path === 'processes' || path === 'requests' || path === 'usage') return { view: path };
  const pid = /^processes\/([1-9]\d{0,8})$/.exec(path)?.[1];
  return pid === undefined ? { view: 'unknown' } : { view: 'process', pid: Number(pid) };
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
