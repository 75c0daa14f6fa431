import { isCredentialField } from '../../contract/secrets';
import { variablesIn } from './fill-variables';
import type { ServerEntry } from './mcp-file';

/** The variables with keys of servers: a terminal brings them to the daemon as it brings those of providers. */
export function keyNamesOf(entries: readonly Pick<ServerEntry, 'values'>[]): string[] {
  const texts = entries.flatMap(({ values: { env = {}, headers = {} } }) => Object.entries({ ...env, ...headers }));
  return texts.flatMap(([field, text]) => {
    const names = variablesIn(text);
    return isCredentialField(field) ? names : names.filter(isCredentialField);
  });
}
