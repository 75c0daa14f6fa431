import { z } from 'zod';
import { processViewSchema } from '../../daemon/control/process-view-schema';
import { findProcess } from './find-process';
import { printAnswer } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';

/** `kill`: ends a process and every program it started, and resolves when nothing of it is left. */
export async function kill(id: string): Promise<void> {
  const { found, daemon } = await findProcess(id);
  const { pid, uuid, end } = found;
  if (end) throw new Error(`process ${pid} has ended already (${end.state})`);
  if (!daemon) throw new Error(`process ${pid} belongs to a daemon of another configuration`);
  await daemon.client.call('POST', `/v1/processes/${uuid}/kill`, z.unknown());
  const { state } = await untilInterrupted(daemon.client.call('GET', `/v1/processes/${uuid}/wait`, processViewSchema));
  printAnswer(`process ${pid} is ${state}`);
}
