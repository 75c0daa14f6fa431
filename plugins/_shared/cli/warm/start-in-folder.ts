import { rm } from 'node:fs/promises';
import type { DriverContext } from 'drivebay/plugin';
import type { Leaving } from './leaving';
import type { LiveProgram } from './live-program';
import { programFolder } from './program-folder';

/**
 * Starts a program that stays and has a folder of its own, whose name begins with `kind`. The folder goes when nothing of the
 * program is left, after `clear`; or at once, where the program does not start. The driver does not close before that.
 */
export function startInFolder<Of extends LiveProgram>(
  { context, leaving, kind }: { context: Pick<DriverContext, 'scratch'>; leaving: Leaving; kind: string },
  spawnIn: (folder: string) => Promise<Of>,
  clear?: (program: Of) => Promise<void>,
): Promise<Of> {
  const start = async (): Promise<Of> => {
    const folder = programFolder(await context.scratch(), kind);
    const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    try {
      const started = await spawnIn(folder);
      const { gone, program } = started;
      // It writes until it ends, which may be after its output. One that is stopped before its end is known has not crashed, for core.
      const ended = gone.then(() => program.exited).then(() => program.stop());
      leaving.addProgram(started, ended.then(() => clear?.(started)).finally(remove));
      return started;
    } catch (error) {
      await remove();
      throw error;
    }
  };
  const starting = start();
  void leaving.add(starting);
  return starting;
}
