import type { Problem } from '../../errors';
import { findProjectRoot } from '../../paths';
import type { Listener } from './listener';

/** The folder of a gateway may come to belong to another project. The gateway goes on with the one that it was opened for. */
export function staleFolder({ port, opened, workingDirectory }: Listener): Problem[] {
  const { projectRoot } = opened.project.paths;
  const now = findProjectRoot(workingDirectory);
  if (!opened.ref.useProject || now === projectRoot) return [];
  const wordsOf = (root: string | undefined) => (root === undefined ? 'outside of projects' : `in project ${root}`);
  const message = `the gateway on port ${port} goes on ${wordsOf(projectRoot)}, and ${workingDirectory} is ${wordsOf(now)} now`;
  return [{ message, hint: 'for a gateway there, end its `drivebay serve` with Ctrl-C and start it again' }];
}
