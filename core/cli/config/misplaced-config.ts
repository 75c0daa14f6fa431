import { basename, join } from 'node:path';
import { configAt, configPlaces } from '../../config/find-config';
import type { Problem } from '../../errors';
import { isFolder } from '../../make-folder';
import { ignoredVariable, type Paths, plantedFolders } from '../../paths';

const PLANTED =
  'this folder does not count: it belongs to another user, and every user can write in the folder above it';

/** Why a configuration is not read: its folder, or the variable that names its folder, does not count. */
export function misplacedConfig(folder: string, paths: Paths): Problem[] {
  const ignored = ignoredVariable('configHome', process.env, paths.configHome);
  const planted = plantedFolders(folder).map((file) => ({
    message: PLANTED,
    place: { file },
    hint: 'if you trust its content, copy it to a folder of your own',
  }));
  return [...(ignored === undefined ? [] : [{ message: ignored }]), ...planted, ...besideProject(folder, paths)];
}

/** A configuration file in a folder where none is read: it belongs into `.drivebay`. */
function besideProject(folder: string, { configHome, userConfig, projectFolder }: Paths): Problem[] {
  if ([configHome, userConfig, projectFolder].includes(folder)) return [];
  const isOurs = (file: string) => {
    const { root } = configAt(file).document;
    return root?.kind === 'map' && root.entries.has('providers');
  };
  const file = configPlaces(folder).find(isOurs);
  if (file === undefined) return [];
  const name = basename(file);
  const own = join(folder, '.drivebay');
  const isFree = !isFolder(own) || configPlaces(own).every((place) => !configAt(place).document.exists);
  const hint = isFree ? `move it there: mkdir -p .drivebay && mv ${name} .drivebay/` : `move what it says there`;
  return [{ message: `the file is not read here: that of a project is .drivebay/${name}`, place: { file }, hint }];
}
