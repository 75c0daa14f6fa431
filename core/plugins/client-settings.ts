import type { LaunchClient } from './clients';
import { fill, type Values } from './fill-text';

/** What a client is started with. */
export interface ClientSettings {
  /** Undefined takes a variable away. */
  environment: Record<string, string | undefined>;
  args: string[];
  /** Texts by their paths in the private folder. */
  files: Record<string, string>;
}

/** The settings that send a client to a gateway. A setting whose value is missing is left out. */
export function clientSettings({ environment, arguments: words, files }: LaunchClient, values: Values): ClientSettings {
  const variables = Object.entries(environment).map(([name, value]) => {
    return { name, value: value === null ? undefined : toText(value, values), isRemoved: value === null };
  });
  return {
    environment: Object.fromEntries(
      variables
        .filter(({ value, isRemoved }) => isRemoved || value !== undefined)
        .map(({ name, value }) => [name, value]),
    ),
    args: words.flatMap((word) => {
      const group = [word].flat();
      const filled = group.map((each) => toText(each, values));
      return filled.every((each) => each !== undefined) ? filled : [];
    }),
    files: Object.fromEntries(
      Object.entries(files).flatMap(([path, content]) => {
        const text = toText(content, values);
        return text === undefined ? [] : [[path, text]];
      }),
    ),
  };
}

/** JSON for everything but a text. It is YAML, too. */
function toText(value: unknown, values: Values): string | undefined {
  const filled = fill(value, values);
  if (filled === undefined || typeof filled === 'string') return filled;
  return typeof filled === 'number' ? String(filled) : JSON.stringify(filled, undefined, 2);
}
