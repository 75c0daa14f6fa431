interface Node {
  name: string;
  needs: readonly string[];
}

/** The names on the way round, the first one again at the end. */
type Circle = [first: string, second: string, ...rest: string[]];

/** Every circle among nodes, once, from the node where it is entered first. */
export function findCycles(agents: readonly Node[]): Circle[] {
  const nodes = new Map(agents.map((agent) => [agent.name, agent]));
  const done = new Set<string>();
  const circles: Circle[] = [];
  const walk = (name: string, trail: string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) {
      circles.push([...trail.slice(start), name] as string[] as Circle);
      return;
    }
    if (done.has(name)) return;
    for (const need of nodes.get(name)?.needs ?? []) walk(need, [...trail, name]);
    done.add(name);
  };
  for (const { name } of agents) walk(name, []);
  return circles;
}
