import { NO_TURNS } from '../record/usage';
import type { HostProject } from './dashboard-host';
import type { ProjectRow } from './protocol';

/** The projects as they are now, with what is known of their providers from before. */
export function withFacts(projects: HostProject[], known: ProjectRow[]): ProjectRow[] {
  return projects.map(({ root, providers }) => {
    const before = new Map(known.find((project) => project.root === root)?.providers.map((row) => [row.name, row]));
    const rows = providers.map((provider) => {
      const facts = provider.facts();
      const nothing = { latency: [], turns: [], sinceStart: NO_TURNS, today: NO_TURNS };
      return { ...nothing, ...before.get(facts.name), ...facts };
    });
    return { root, providers: rows };
  });
}
