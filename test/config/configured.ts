import { join } from 'node:path';
import { configAt } from '../../core/config/find-config';
import { loadConfig, type LoadedConfig } from '../../core/config/load';
import { formatProblem, type Problem } from '../../core/errors';
import { tempHome } from '../setup/temp-home';

/** A home of the tests of a file, and the configurations that are loaded from it. */
export function configured() {
  const home = tempHome();
  return {
    home,
    load: (global: string | undefined, project?: string): LoadedConfig => {
      const own = global === undefined ? join(home.directory, 'absent.yaml') : home.write('global.yaml', global);
      return loadConfig({
        global: configAt(own),
        project: project === undefined ? undefined : configAt(home.write('project.yaml', project)),
      });
    },
    /** With files by their names alone. */
    lines: (problems: readonly Problem[]) =>
      problems.map((problem) => formatProblem(problem).replaceAll(`${home.directory}/`, '')),
  };
}
