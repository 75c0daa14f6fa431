/** Aligns pairs of a name and a value, one below the other; further lines of a value stand below its first. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(width)}`;
  return facts.map(([name, value]) => name.padEnd(width) + value.replaceAll('\n', indent)).join('\n');
}
