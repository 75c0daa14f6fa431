import type { HostProject } from './dashboard-host';
import type { ProjectRow } from './protocol';
import { NOTHING } from './totals';

/** The projects as they are now, with what is known of their providers from before. */
export function withFacts(projects: HostProject[], known: ProjectRow[]): ProjectRow[] {
  return projects.map(({ root, providers }) => {
    const before = new Map(known.find((project) => project.root === root)?.providers.map((row) => [row.name, row]));
    const rows = providers.map((provider) => {
      const facts = provider.facts();
      const nothing = { latency: [], turns: [], sinceStart: NOTHING, today: NOTHING };
      return { ...nothing, ...before.get(facts.name), ...facts };
    });
    return { root, providers: rows };
  });
}
