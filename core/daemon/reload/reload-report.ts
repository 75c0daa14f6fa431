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
export type ProjectReport = ReloadReport['projects'][number];
export type Change = z.infer<typeof change>;

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
