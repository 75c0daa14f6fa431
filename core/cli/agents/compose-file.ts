import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../errors';
import { findPaths } from '../../paths';
import { workingDirectory } from '../working-directory';

/** The compose file that an argument names; without one, the file at its usual places, if it is there. */
export function findComposeFile(file: string | undefined): string | undefined {
  return file ? resolve(workingDirectory(), file) : usualPlaces().find((path) => existsSync(path));
}

export function needComposeFile(file: string | undefined): string {
  const found = findComposeFile(file);
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no compose file (looked for ${usualPlaces().join(', ')})`,
    'name one: drivebay compose up FILE',
  );
}

function usualPlaces(): string[] {
  const here = workingDirectory();
  const { projectRoot } = findPaths(process.env, here);
  return [
    join(here, 'compose.yaml'),
    ...(projectRoot === undefined ? [] : [join(projectRoot, '.drivebay', 'compose.yaml')]),
  ];
}
