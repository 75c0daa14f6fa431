import type { Change, ProjectReport, ReloadReport } from './reload-report';

/** What a reload changes, for people: a line for each project, and lines below it. */
export function reloadLines({ projects }: ReloadReport): string[] {
  return joinForms(projects).map((project) => [titleOf(project), ...linesOf(project)].join('\n'));
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

/**
 * The reports of all folders, each once. A folder may be open in several forms, such as with the demo of `serve --demo` and
 * without, and people know one.
 */
function joinForms(projects: readonly ProjectReport[]): ProjectReport[] {
  const forms = new Map<string, ProjectReport>();
  for (const each of projects) {
    const key = JSON.stringify([each.root, each.files]);
    const before = forms.get(key);
    forms.set(key, before ? join(before, each) : each);
  }
  return [...forms.values()];
}

function join(before: ProjectReport, more: ProjectReport): ProjectReport {
  return {
    ...before,
    providers: joinChanges(before.providers, more.providers),
    routes: joinChanges(before.routes, more.routes),
    servers: joinChanges(before.servers, more.servers),
    settings: [...new Set([...before.settings, ...more.settings])],
  };
}

/** What one form keeps, another one may have changed. */
function joinChanges(before: readonly Change[], more: readonly Change[]): Change[] {
  const all = new Map(before.map((each) => [each.name, each]));
  for (const each of more) if ((all.get(each.name)?.change ?? 'kept') === 'kept') all.set(each.name, each);
  return [...all.values()];
}
