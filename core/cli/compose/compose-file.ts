import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../errors';
import { pathsHere, workingDirectory } from '../here';

/** The compose file that an argument names. Without an argument, the file at one of its usual places. */
export function findComposeFile(file: string | undefined): string | undefined {
  return file ? resolve(workingDirectory(), file) : usualPlaces().find((path) => existsSync(path));
}

export function needComposeFile(file: string | undefined): string {
  const found = findComposeFile(file);
  if (found !== undefined) return found;
  const places = usualPlaces().join(', ');
  throw new UsageError(`there is no compose file (looked for ${places})`, 'name one: drivebay compose up FILE');
}

function usualPlaces(): string[] {
  const { projectRoot } = pathsHere();
  const here = join(workingDirectory(), 'compose.yaml');
  return projectRoot === undefined ? [here] : [here, join(projectRoot, '.drivebay', 'compose.yaml')];
}
