import { suggestName } from '../../config/suggest-name';
import type { Path } from '../../config/located';
import type { Position, Problem } from '../../errors';
import { findCycles } from './cycles';

/** An agent with what it says of others. */
interface Agent {
  name: string;
  /** All that it needs: the declared ones, and those that its intent refers to. */
  needs: readonly string[];
  /** What stands under `needs`. */
  declared: readonly string[];
}

/** What is wrong with the needs of agents: names that nobody has, and circles. */
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
  const circles = findCycles(agents).map(([name, next, ...rest]) => {
    const { field, path } = whereNeeded(
      agents.find((agent) => agent.name === name)!,
      next,
    );
    const message = `agents.${name}.${field}: found a circle, ${[name, next, ...rest].join(' needs ')}`;
    return { message, place: at(path), hint: 'take one of these needs out' };
  });
  return [...unknown, ...circles];
}

/** Where an agent says that it needs another one. */
function whereNeeded({ name, declared }: Agent, need: string): { field: 'needs' | 'intent'; path: Path } {
  const index = declared.indexOf(need);
  const field = index < 0 ? 'intent' : 'needs';
  return { field, path: ['agents', name, field, ...(index < 0 ? [] : [index])] };
}
