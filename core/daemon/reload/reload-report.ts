import { formatPosition, type Problem } from '../../errors';

export interface Change {
  name: string;
  change: 'added' | 'removed' | 'changed' | 'kept';
  /** What differs: options, and what else shapes it. Never a value. */
  what: string[];
}

export interface ProjectReport {
  /** The project root; null outside of a project. */
  root: string | null;
  files: string[];
  providers: Change[];
  routes: Change[];
  /** Tool servers. */
  servers: Change[];
  /** Other settings of the file that have changed, besides providers and routes. */
  settings: string[];
}

/** The answer to `POST /v1/reload`. */
export interface ReloadReport {
  /** Nothing was changed. */
  dryRun: boolean;
  projects: ProjectReport[];
  warnings: Problem[];
  /** What the files say now, and a reload cannot take over. */
  restart: Problem[];
}

/** Whether a reload makes a difference. */
export function hasChanges({ projects }: ReloadReport): boolean {
  return projects.some(
    ({ providers, routes, servers, settings }) =>
      settings.length > 0 || [...providers, ...routes, ...servers].some((each) => each.change !== 'kept'),
  );
}

/** Each problem once: several projects read the same global file. */
export function distinct(problems: readonly Problem[]): Problem[] {
  const keyed = problems.map(
    (each) => [`${each.place ? formatPosition(each.place) : ''} ${each.message}`, each] as const,
  );
  return [...new Map(keyed).values()];
}
