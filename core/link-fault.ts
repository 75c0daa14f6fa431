import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why nothing can be made at a path: a symbolic link there, or above it, has no target. */
export function linkFault(path: string): string | undefined {
  for (let place = path; !existsSync(place) && dirname(place) !== place; place = dirname(place)) {
    if (isLink(place)) return `${place} is a symbolic link that leads nowhere`;
  }
  return undefined;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
