import { UsageError } from '../../errors';
import { isFolder } from '../../make-folder';
import type { ProcessSummary } from '../../record/process-summary';
import { workingDirectory } from '../here';
import { findProcess, readAllProcesses } from '../processes/find-process';
import { printNote } from '../terminal/print';

/** The process that `--continue` means. An empty id means the newest one that was started in this folder. */
export async function findEarlier(id: string): Promise<ProcessSummary> {
  const here = workingDirectory();
  const { found } = id === '' ? { found: await newestIn(here) } : await findProcess(id);
  const { pid, workingDirectory: folder } = found;
  if (folder === here) return found;
  if (!isFolder(folder)) {
    throw new UsageError(`the folder of process ${pid} does not exist any more: ${folder}`);
  }
  printNote(`note: it works in ${folder}, as process ${pid} did`);
  return found;
}

/** Agents of a compose file answer each other, not the user. */
async function newestIn(folder: string): Promise<ProcessSummary> {
  const { list } = await readAllProcesses();
  const found = list.findLast((each) => each.workingDirectory === folder && each.compose === undefined);
  if (found) return found;
  throw new UsageError(
    `no process was started in ${folder}, so there is nothing to continue`,
    'name one: drivebay run --continue PID "<intent>"; see: drivebay ps -a',
  );
}
