import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configAt, configPlaces, findConfig } from '../../config/find-config';
import { loadConfig } from '../../config/load';
import { findMcpFiles } from '../../config/mcp/find-mcp-files';
import { statRegularFile } from '../../config/small-file';
import { trustProject } from '../../config/trust';
import { FileExistsError, writeNewFile } from '../../config/write-new-file';
import { HintedError, hintOf, messageOf, UsageError } from '../../errors';
import { explainFolder, type Paths } from '../../paths';
import { explainWrite } from '../explain-write';
import { workingDirectory } from '../here';
import { printAnswer } from '../terminal/print';

export interface Target {
  file: string;
  root: string;
  isProject: boolean;
  globalFile: string;
  /** Names of providers and routes in the user's own file, which a project's file leaves out. */
  taken: Set<string>;
  /** What the new file takes the place of, where the user has moved the folder. */
  moves?: string;
}

/** Chooses the user's own file, or the file of the project. Without a project the working directory becomes one. */
export function chooseTarget(paths: Paths, isProject: boolean): Target {
  const root = paths.projectRoot ?? workingDirectory();
  const { global, project } = findConfig(paths);
  const { file: globalFile } = global;
  if (!isProject) return { ...ownTarget(paths, globalFile), root, isProject, taken: new Set() };
  const { entries, routes } = loadConfig({ global });
  const taken = new Set([...entries, ...routes].map(({ name }) => name));
  return { file: project?.file ?? join(root, '.drivebay', 'providers.yaml'), globalFile, root, isProject, taken };
}

/** The file of ~/.config counts while the folder of the variable has none. A user who sets the variable means that folder. */
function ownTarget(paths: Paths, globalFile: string) {
  const { configHome, userConfig } = paths;
  const [file = globalFile] = configPlaces(configHome);
  if (dirname(globalFile) === configHome) return { file: globalFile, globalFile };
  const isLeft = (each: string) => dirname(each) !== configHome && statRegularFile(each).state !== 'absent';
  if (![globalFile, findMcpFiles(paths).global].some(isLeft)) return { file, globalFile: file };
  const moves = `From then on providers.yaml and mcp.json of ${configHome} count; those of ${userConfig} stay as they are, and count no longer`;
  return { file, globalFile: file, moves };
}

/** A configuration is the work of a person: only --force replaces one. What is no file, nothing replaces. */
export function refuseToReplace({ file }: Target, force = false): void {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (!there) return;
  const found = there.isFile() ? undefined : statRegularFile(file);
  if (found?.state === 'unusable') {
    throw new UsageError(`${file} ${found.reason}`, 'move it away, and run the command again');
  }
  if (force) return;
  throw new UsageError(
    `${file} exists already and stays as it is`,
    'to add one provider: drivebay providers add <driver>; to see the new file: drivebay init --print; to replace the old one and keep a copy of it: --force',
  );
}

export async function writeTarget(target: Target, text: string, replace: boolean, paths: Paths): Promise<void> {
  const { file, isProject } = target;
  try {
    const { backup } = await writeNewFile(file, text, { existing: replace ? 'copied' : 'stays' });
    printAnswer(`Wrote ${file}${backup === undefined ? '' : `; the old one is ${backup}`}`);
  } catch (error) {
    if (error instanceof FileExistsError) refuseToReplace(target);
    if (isProject) throw explainWrite(file, error, 'write the file for every folder: drivebay init');
    throw new HintedError(
      `${file} cannot be written: ${messageOf(error)}`,
      hintOf(explainFolder(error, paths, 'configHome')),
    );
  }
  // The user has seen what the file sets.
  if (isProject) trustProject(configAt(file), paths.state);
}
