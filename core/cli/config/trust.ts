import { findConfig } from '../../config/find-config';
import { trustProject } from '../../config/trust';
import { ConfigError, UsageError } from '../../errors';
import { pathsHere } from '../here';
import { printAnswer } from '../terminal/print';

/** `trust`: lets the project's file, with its current content, choose programs, servers and keys. */
export function trust(): void {
  const paths = pathsHere();
  const { project } = findConfig(paths);
  if (!project?.document.exists) {
    const hint = 'run it in a folder with .drivebay/providers.yaml, or below one';
    throw new UsageError('there is no project configuration here', hint);
  }
  const { fields, problems } = trustProject(project, paths.state);
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [provider, names] of fields) printAnswer(`provider "${provider}" may set ${names.join(', ')}`);
  printAnswer(`trusted: ${project.file}; a change of the file needs new trust`);
}
