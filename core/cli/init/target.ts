import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/load';
import { UsageError } from '../../errors';
import type { Paths } from '../../paths';

/** The file that is written, and what is known before. */
export interface Target {
  file: string;
  /** The folder whose .env files count. */
  root: string;
  isProject: boolean;
  /** Names that another file has given already. */
  taken: Set<string>;
}

/** The file to write: the user's own, or that of a project, which is the working directory where there is none yet. */
export async function chooseTarget(paths: Paths, isProject: boolean, workingDirectory: string): Promise<Target> {
  const root = paths.projectRoot ?? workingDirectory;
  if (!isProject) return { file: paths.globalConfig, root, isProject, taken: new Set() };
  const { entries } = await loadConfig({ globalFile: paths.globalConfig });
  const file = join(root, '.drivebay', 'providers.yaml');
  return { file, root, isProject, taken: new Set(entries.map(({ name }) => name)) };
}

/** A configuration is somebody's work: it is replaced when that is asked for, and at no other time. */
export function refuseToReplace({ file }: Target): void {
  if (!existsSync(file) && !lstatSync(file, { throwIfNoEntry: false })) return;
  throw new UsageError(
    `${file} exists already, and stays as it is`,
    'to see what would be written: drivebay init --print; to replace it, with the old one kept beside it: --force',
  );
}
