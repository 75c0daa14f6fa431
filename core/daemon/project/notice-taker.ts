import type { LoadedConfig } from '../../config/load';
import type { Problem } from '../../errors';

/**
 * Reports the notices of a project: once, or each time while its fields wait for `drivebay trust`. `isDry`: the next call
 * reports them again.
 */
export function noticeTaker(
  { notices, rememberNotices }: Pick<LoadedConfig, 'notices' | 'rememberNotices'>,
  ofServers: readonly Problem[],
  isHeld: boolean,
): (options?: { isDry: boolean }) => Problem[] {
  let areTold = false;
  return ({ isDry } = { isDry: false }) => {
    if (!isDry) rememberNotices();
    const told = areTold && !isHeld ? [] : [...notices, ...ofServers];
    areTold = !isDry;
    return told;
  };
}
