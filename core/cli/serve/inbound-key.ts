import { Environment } from '../../config/environment';
import type { Redactor } from '../../contract/redact';
import { UsageError } from '../../errors';
import { digestOf } from '../../config/client-keys';
import { pathsHere } from '../here';

/** The SHA-256 of the key that `--api-key-env` names, as this command sees it. */
export function inboundKey(name: string, options: { project: boolean; redactor: Redactor }): Buffer {
  const projectRoot = options.project ? pathsHere().projectRoot : undefined;
  const environment = new Environment({ processEnvironment: process.env, projectRoot });
  const found = environment.get(name);
  if (!found) {
    throw new UsageError(
      `--api-key-env ${name}: the variable is not set (looked in ${environment.searched().join(', ')})`,
      `run: export ${name}=...`,
    );
  }
  options.redactor.add(found.value);
  return digestOf(found.value);
}
