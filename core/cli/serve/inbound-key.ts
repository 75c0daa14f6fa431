import { Environment } from '../../config/environment';
import { UsageError } from '../../errors';
import { digest } from '../../gateway/access-guard';
import { findPaths } from '../../paths';
import type { Redactor } from '../../contract/redact';
import { workingDirectory } from '../working-directory';

/** The SHA-256 of the key that `--api-key-env` names, as this command sees it. */
export function inboundKey(name: string, options: { project: boolean; redactor: Redactor }): Buffer {
  const { projectRoot } = findPaths(process.env, workingDirectory());
  const environment = new Environment({
    processEnvironment: process.env,
    ...(options.project && projectRoot !== undefined && { projectRoot }),
  });
  const found = environment.get(name);
  if (!found) {
    throw new UsageError(
      `--api-key-env ${name}: the variable is not set (looked in ${environment.searched().join(', ')})`,
      `run: export ${name}=...`,
    );
  }
  options.redactor.add(found.value);
  return digest(found.value);
}
