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
  return {
    environment: fillEach(environment, values),
    args: words.flatMap((word) => {
      const group = [word].flat();
      const filled = group.map((each) => toText(each, values));
      return filled.every((each) => each !== undefined) ? filled : [];
    }),
    files: fillEach(files, values) as Record<string, string>,
  };
}

/** Those whose value is known, and those without one. */
function fillEach(settings: Record<string, unknown>, values: Values): Record<string, string | undefined> {
  const filled = Object.entries(settings).flatMap(([name, value]) => {
    const text = value === null ? undefined : toText(value, values);
    return value === null || text !== undefined ? [[name, text]] : [];
  });
  return Object.fromEntries(filled) as Record<string, string | undefined>;
}

/** JSON for everything but a text. It is YAML, too. */
function toText(value: unknown, values: Values): string | undefined {
  const filled = fill(value, values);
  if (filled === undefined || typeof filled === 'string') return filled;
  return typeof filled === 'number' ? String(filled) : JSON.stringify(filled, undefined, 2);
}
