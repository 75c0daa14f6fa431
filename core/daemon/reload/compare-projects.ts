import { changedFacts, factsOf } from '../../providers/facts';
import { changesOf } from '../../providers/made-provider';
import type { Project } from '../project/project';
import type { Change, ProjectReport } from './reload-report';

/** What a reload of a project makes another one. */
export function compareProjects(before: Project, after: Project): ProjectReport {
  const { root = null, files } = after;
  return {
    root,
    files,
    providers: changes(namesOf(before, 'providers'), namesOf(after, 'providers'), (name) => {
      const [old, made] = [before.made.providers.get(name)!, after.made.providers.get(name)!];
      return old.device === made.device ? [] : changesOf(old, made);
    }),
    routes: changes(namesOf(before, 'routes'), namesOf(after, 'routes'), (name) =>
      changedFacts(before.made.routes.get(name)!.facts, after.made.routes.get(name)!.facts),
    ),
    servers: changes([...before.made.servers.keys()], [...after.made.servers.keys()], (name) =>
      changedFacts(before.made.servers.get(name)!.facts, after.made.servers.get(name)!.facts),
    ),
    settings: changedFacts(settingsOf(before), settingsOf(after)),
  };
}

/** What a file sets besides its providers and routes. */
function settingsOf({ defaultProvider, standard, clients, sharedState }: Project) {
  return factsOf({
    default_provider: defaultProvider ?? standard?.device.name,
    // Where an entry stands makes no difference.
    clients: clients?.map(({ place: _, ...entry }) => entry),
    shared_state: sharedState,
  });
}

function namesOf({ devices }: Project, kind: 'providers' | 'routes'): string[] {
  return devices[kind]().map(({ name }) => name);
}

function changes(before: string[], after: string[], whatOf: (name: string) => string[]): Change[] {
  const now = after.map((name): Change => {
    if (!before.includes(name)) return { name, change: 'added', what: [] };
    const what = whatOf(name);
    return { name, change: what.length > 0 ? 'changed' : 'kept', what };
  });
  const removed = before.filter((name) => !after.includes(name));
  return [...now, ...removed.map((name): Change => ({ name, change: 'removed', what: [] }))];
}
