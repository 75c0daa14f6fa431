import { existsSync } from 'node:fs';
import { trustProject } from '../../config/trust';
import { ConfigError, UsageError } from '../../errors';
import { findPaths } from '../../paths';
import { printAnswer } from '../terminal/print';
import { workingDirectory } from '../working-directory';

/** `trust`: lets the project's file, as it is now, say which programs and servers are used with which keys. */
export async function trust(): Promise<void> {
  const { projectConfig, state } = findPaths(process.env, workingDirectory());
  if (!projectConfig || !existsSync(projectConfig)) {
    throw new UsageError(
      'there is no project configuration here',
      'run it in a folder with .drivebay/providers.yaml, or below one',
    );
  }
  const { fields, problems } = await trustProject(projectConfig, state);
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [provider, names] of fields) printAnswer(`provider "${provider}" may set ${names.join(', ')}`);
  printAnswer(`trusted: ${projectConfig}; a change of the file asks again`);
}
