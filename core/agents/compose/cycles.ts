import type { Position, Problem } from '../../errors';
import type { Path } from '../../config/located';

interface Node {
  name: string;
  needs: readonly string[];
}

/** Every circle among the agents, once, at the agent where it is entered first. */
export function explainCycles(agents: readonly Node[], at: (path: Path) => Position): Problem[] {
  const nodes = new Map(agents.map((agent) => [agent.name, agent]));
  const done = new Set<string>();
  const problems: Problem[] = [];
  const walk = (name: string, trail: string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) {
      const circle = [...trail.slice(start), name];
      const message = `agents.${name}.needs: found a circle, ${circle.join(' needs ')}`;
      problems.push({ message, place: at(['agents', name, 'needs']), hint: 'take one of these needs out' });
      return;
    }
    if (done.has(name)) return;
    for (const need of nodes.get(name)?.needs ?? []) walk(need, [...trail, name]);
    done.add(name);
  };
  for (const { name } of agents) walk(name, []);
  return problems;
}
