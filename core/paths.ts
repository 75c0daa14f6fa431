import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Everything that Drivebay has a place for, for one user and one working directory. */
export interface Paths {
  /** The user's configuration folder, whether or not it exists: with the state folder it tells daemons apart. */
  configHome: string;
  /** `~/.config/drivebay`: its file counts where the configuration folder has none. */
  userConfig: string;
  /** The nearest ancestor of the working directory that holds `.drivebay/`. */
  projectRoot?: string;
  /** `.drivebay` in the project root. */
  projectFolder?: string;
  state: string;
  cache: string;
  userPlugins: string;
  userSkills: string;
}

const NAME = 'drivebay';

export function findPaths(environment: NodeJS.ProcessEnv, workingDirectory: string): Paths {
  const home = environment.HOME || homedir();
  const base = (variable: string, fallback: string) => {
    const value = environment[variable];
    // The XDG specification: relative values are invalid and ignored.
    return join(value?.startsWith('/') ? value : join(home, fallback), NAME);
  };
  const userConfig = join(home, '.config', NAME);
  const configHome = base('XDG_CONFIG_HOME', '.config');
  const inConfig = (file: string) => {
    const preferred = join(configHome, file);
    return existsSync(preferred) ? preferred : join(userConfig, file);
  };
  const projectRoot = findProjectRoot(workingDirectory);
  return {
    configHome,
    userConfig,
    projectRoot,
    projectFolder: projectRoot && join(projectRoot, `.${NAME}`),
    state: base('XDG_STATE_HOME', '.local/state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
    userPlugins: inConfig('plugins'),
    userSkills: inConfig('skills'),
  };
}

function findProjectRoot(workingDirectory: string): string | undefined {
  for (let folder = resolve(workingDirectory); ; folder = dirname(folder)) {
    if (statSync(join(folder, `.${NAME}`), { throwIfNoEntry: false })?.isDirectory()) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
