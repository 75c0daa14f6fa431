interface Known {
  name: string;
  driver: string;
}

/** The providers whose warnings matter to a command that asks `names` alone. Undefined: all, as where a route passes a question on. */
export function askedProviders(
  known: readonly Known[],
  names: readonly (string | null | undefined)[],
): string[] | undefined {
  const asked = names.filter((name) => typeof name === 'string' && name !== '') as string[];
  const isRoute = ({ name, driver }: Known) => driver === 'route' && asked.includes(name);
  return asked.length === 0 || known.some(isRoute) ? undefined : asked;
}
