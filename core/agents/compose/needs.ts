import type { Path } from '../../config/located';
import { suggestName } from '../../config/did-you-mean';
import type { Position, Problem } from '../../errors';

interface Agent {
  name: string;
  /** All needs: the declared ones, and the references in the intent. */
  needs: readonly string[];
  declared: readonly string[];
}

export function explainNeeds(agents: readonly Agent[], at: (path: Path) => Position): Problem[] {
  const names = agents.map(({ name }) => name);
  const unknown = agents.flatMap((agent) =>
    agent.needs
      .filter((need) => !names.includes(need))
      .map((need) => {
        const { field, path } = whereNeeded(agent, need);
        const hint = suggestName(need, names, `agents: ${names.join(', ')}`);
        return {
          message: `agents.${agent.name}.${field}: there is no agent "${need}"`,
          place: at(path),
          hint: field === 'intent' ? `${hint}; for the text itself write \\{{${need}}}` : hint,
        };
      }),
  );
  const circles = findCircles(agents).map(([first, second, ...rest]) => {
    const { field, path } = whereNeeded(first!, second!.name);
    const way = [first!, second!, ...rest].map(({ name }) => name).join(' needs ');
    const message = `agents.${first!.name}.${field}: found a circle, ${way}`;
    return { message, place: at(path), hint: 'take one of these needs out' };
  });
  return [...unknown, ...circles];
}

/** Every circle once, from the agent where it is entered first. Each ends with the agent that it begins with. */
function findCircles(agents: readonly Agent[]): Agent[][] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const done = new Set<Agent>();
  const circles: Agent[][] = [];
  const walk = (agent: Agent, trail: Agent[]): void => {
    if (trail.includes(agent)) circles.push([...trail.slice(trail.indexOf(agent)), agent]);
    if (trail.includes(agent) || done.has(agent)) return;
    for (const need of agent.needs) {
      const next = byName.get(need);
      if (next) walk(next, [...trail, agent]);
    }
    done.add(agent);
  };
  for (const agent of agents) walk(agent, []);
  return circles;
}

function whereNeeded({ name, declared }: Agent, need: string): { field: 'needs' | 'intent'; path: Path } {
  const index = declared.indexOf(need);
  return index < 0
    ? { field: 'intent', path: ['agents', name, 'intent'] }
    : { field: 'needs', path: ['agents', name, 'needs', index] };
}
