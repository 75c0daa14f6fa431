import { isCredentialField } from '../../contract/secrets';
import type { ServerValues } from './mcp-schema';

/** `${NAME}` or `${NAME:-default}`. Some editors write `${env:NAME}`. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Something in a text that is meant as a variable and cannot be one. */
export function findBadVariable(text: string): string | undefined {
  const bad = /\$\{[^}]{0,40}\}?/.exec(text.replace(VARIABLE, ''))?.[0];
  // The rest of a text may be a key.
  return bad && `\${${/^[\w:. -]*/.exec(bad.slice(2))?.[0] ?? ''}`;
}

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name]) => name!);
}

/** Replaces each variable by its value, else by its default. `missing` gets the names of those that have neither. */
export function fillVariables(text: string, valueOf: (name: string) => string | undefined, missing: string[]): string {
  return text.replace(VARIABLE, (_, name: string, standard: string | undefined) => {
    const value = valueOf(name) ?? standard;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
}

/** The variables with keys of servers: a terminal brings them to the daemon as it brings those of providers. */
export function keyNamesOf(entries: readonly { values: ServerValues }[]): string[] {
  const texts = entries.flatMap(({ values: { env = {}, headers = {} } }) => Object.entries({ ...env, ...headers }));
  return texts.flatMap(([field, text]) => {
    const names = variablesIn(text);
    return isCredentialField(field) ? names : names.filter(isCredentialField);
  });
}
