import { findCircles } from '../../config/find-circles';
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
  const nextOf = ({ needs }: Agent) => needs.flatMap((need) => agents.find(({ name }) => name === need) ?? []);
  const circles = findCircles(agents, nextOf).map(([first, second, ...rest]) => {
    const { field, path } = whereNeeded(first!, second!.name);
    const way = [first!, second!, ...rest].map(({ name }) => name).join(' needs ');
    const message = `agents.${first!.name}.${field}: found a circle, ${way}`;
    return { message, place: at(path), hint: 'take one of these needs out' };
  });
  return [...unknown, ...circles];
}

function whereNeeded({ name, declared }: Agent, need: string): { field: 'needs' | 'intent'; path: Path } {
  const index = declared.indexOf(need);
  return index < 0
    ? { field: 'intent', path: ['agents', name, 'intent'] }
    : { field: 'needs', path: ['agents', name, 'needs', index] };
}
