import type { ProcessSummary } from '../../record/process-summary';
import { processViewSchema } from '../../daemon/control/process-view-schema';
import { EXIT } from '../exit-codes';
import { findProcess } from './find-process';
import { printNote } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';

/** `wait`: resolves when a process has ended. The exit code is 0 after a good end, and 1 after any other. */
export async function wait(id: string): Promise<void> {
  const { found, daemon } = await findProcess(id);
  let { end } = found;
  if (!end) {
    if (!daemon) throw new Error(`process ${found.pid} belongs to a daemon of another configuration`);
    const path = `/v1/processes/${found.uuid}/wait`;
    ({ end } = await untilInterrupted(daemon.client.call('GET', path, processViewSchema)));
  }
  if (end?.state === 'done') return;
  printNote(`process ${found.pid} ${describeEnd(end)}`);
  process.exitCode = EXIT.failure;
}

function describeEnd(end: ProcessSummary['end']): string {
  if (!end) return 'has not ended';
  const { state, message, hint } = end;
  return `${state === 'killed' ? 'was killed' : state}${message ? `: ${message}` : ''}${hint ? `; ${hint}` : ''}`;
}
