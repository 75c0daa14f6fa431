/** Every circle once, from the node where it is entered first. Each ends with the node that it begins with. */
export function findCircles<Node>(nodes: readonly Node[], nextOf: (node: Node) => readonly Node[]): Node[][] {
  const done = new Set<Node>();
  const circles: Node[][] = [];
  const visit = (node: Node, way: readonly Node[]): void => {
    const start = way.indexOf(node);
    if (start >= 0) circles.push([...way.slice(start), node]);
    if (start >= 0 || done.has(node)) return;
    for (const next of nextOf(node)) visit(next, [...way, node]);
    done.add(node);
  };
  for (const node of nodes) visit(node, []);
  return circles;
}
