import { SORTS, type Sort } from './sighting';
import type { Examined } from './examine';

/** Why `init` prefers what it prefers: nothing that is paid by the token becomes the default while something else answers. */
export const PREFERENCE =
  'programs that you are logged in to first, then servers on this machine, then keys, which are paid by the token';

const REASONS: Record<Sort, string> = {
  program: 'This program is paid already.',
  server: 'This server runs on your machine and costs nothing.',
  key: 'This one answers; it is paid by the token.',
};

/** What can be the default, the best choice first: what answers a request that names nothing but the provider. */
export function candidates(examined: readonly Examined[]): Examined[] {
  return examined
    .filter(({ state, sighting }) => {
      const needsModel = sighting.manifest.kind === 'http';
      return state === 'answers' && (!needsModel || sighting.provider.default_model !== undefined);
    })
    .sort((a, b) => rank(a) - rank(b));
}

/** A program that does not say whether it is logged in may fail at the first question. */
function rank({ sighting, isLoggedIn = true }: Examined): number {
  return SORTS.indexOf(sighting.sort) + (isLoggedIn ? 0 : SORTS.length);
}

export function reasonFor({ sighting }: Examined): string {
  return REASONS[sighting.sort];
}
