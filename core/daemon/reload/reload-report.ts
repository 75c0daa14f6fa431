import { z } from 'zod';
import { formatPosition, type Problem } from '../../errors';

const problem = z.object({
  message: z.string(),
  place: z.object({ file: z.string(), line: z.number().optional(), column: z.number().optional() }).optional(),
  hint: z.string().optional(),
});

const change = z.object({
  name: z.string(),
  change: z.enum(['added', 'removed', 'changed', 'kept']),
  /** What differs: options, and what else shapes it. Never a value. */
  what: z.array(z.string()),
});

/** The answer to `POST /v1/reload`. */
export const reloadReportSchema = z.object({
  /** Nothing was changed. */
  dryRun: z.boolean(),
  projects: z.array(
    z.object({
      /** The project root; null outside of a project. */
      root: z.string().nullable(),
      files: z.array(z.string()),
      providers: z.array(change),
      routes: z.array(change),
      /** Tool servers. */
      servers: z.array(change),
      /** Settings of the file beside the providers and routes that are others now. */
      settings: z.array(z.string()),
    }),
  ),
  warnings: z.array(problem),
  /** What the files say now, and a reload cannot take over. */
  restart: z.array(problem),
});

export type ReloadReport = z.infer<typeof reloadReportSchema>;
type ProjectReport = ReloadReport['projects'][number];
export type Change = z.infer<typeof change>;

/** Whether a reload makes a difference. */
export function hasChanges({ projects }: ReloadReport): boolean {
  return projects.some(
    ({ providers, routes, servers, settings }) =>
      settings.length > 0 || [...providers, ...routes, ...servers].some((each) => each.change !== 'kept'),
  );
}

/** What a reload changes, for people: a line for each project, and lines below it. */
export function reloadLines({ projects }: ReloadReport): string[] {
  const texts = projects.map((project) => [titleOf(project), ...linesOf(project)].join('\n'));
  // A folder may be open in several forms, such as with the demo and without.
  return [...new Set(texts)];
}

/** The same in one line, without what is kept. */
export function changedWords({ projects }: ReloadReport): string {
  if (projects.length === 0) return 'it counts from the first use of a project on';
  const words = new Set(
    projects.flatMap((project) =>
      linesOf(project)
        .map((line) => line.trim().replace(/ +/, ' '))
        .filter((line) => !line.startsWith('kept ')),
    ),
  );
  return [...words].join(', ') || 'nothing is other than before';
}

function titleOf({ root, files }: ProjectReport): string {
  const where = root === null ? 'outside of projects' : `project ${root}`;
  return `${where} (${files.join(', ') || 'no configuration file'})`;
}

function linesOf({ providers, routes, servers, settings }: ProjectReport): string[] {
  const named = [
    ...providers,
    ...routes.map((each) => ({ ...each, name: `route ${each.name}` })),
    ...servers.map((each) => ({ ...each, name: `tool server ${each.name}` })),
  ];
  const kept = named.filter((each) => each.change === 'kept').map(({ name }) => name);
  const changed = named.filter((each) => each.change !== 'kept');
  return [
    ...changed.map(({ name, change: kind, what }) => {
      const why = what.length > 0 ? ` (${what.join(', ')})` : '';
      return `  ${kind.padEnd(8)}  ${name}${why}`;
    }),
    ...settings.map((setting) => `  changed   ${setting}`),
    ...(kept.length > 0 ? [`  kept      ${kept.join(', ')}`] : []),
  ];
}

/** Each problem once: several projects read the same global file. */
export function distinct(problems: readonly Problem[]): Problem[] {
  const keyed = problems.map(
    (each) => [`${each.place ? formatPosition(each.place) : ''} ${each.message}`, each] as const,
  );
  return [...new Map(keyed).values()];
}
