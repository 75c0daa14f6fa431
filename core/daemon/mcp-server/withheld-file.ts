import { findPaths } from '../../paths';
import { isBelow, realFolder } from './roots';

/** With keys in them, or a configuration that names them. */
const WITHHELD = /^(\.env.*|\.drivebay|providers\.(yaml|yml|json)|\.?mcp\.json)$/i;

/** Whether no client of the gateway gets a file, in whichever folder it stands. */
export function isWithheld(path: string): boolean {
  if (path.split(/[\\/]/).some((name) => WITHHELD.test(name))) return true;
  const { configHome, userConfig, state } = findPaths(process.env, '/');
  const own = [configHome, userConfig, state];
  return [...own, ...own.flatMap(realFolder)].some((folder) => isBelow(folder, path));
}
