import { existsSync } from 'node:fs';
import { trustProject } from '../../config/trust';
import { ConfigError, UsageError } from '../../errors';
import { pathsHere } from '../here';
import { printAnswer } from '../terminal/print';

/** `trust`: lets the project's file, with its current content, choose programs, servers and keys. */
export async function trust(): Promise<void> {
  const { projectConfig, state } = pathsHere();
  if (!projectConfig || !existsSync(projectConfig)) {
    const hint = 'run it in a folder with .drivebay/providers.yaml, or below one';
    throw new UsageError('there is no project configuration here', hint);
  }
  const { fields, problems } = await trustProject(projectConfig, state);
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [provider, names] of fields) printAnswer(`provider "${provider}" may set ${names.join(', ')}`);
  printAnswer(`trusted: ${projectConfig}; a change of the file needs new trust`);
}
