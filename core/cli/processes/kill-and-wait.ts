import type { ProcessView } from '../../record/process-view';
import { EXIT } from '../exit-codes';
import { printAnswer, printNote } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { findProcess, type FoundProcess } from './find-process';

/** `kill`: ends a process and every program it started. Resolves when nothing of it is left. */
export async function kill(id: string): Promise<void> {
  const wanted = await findProcess(id);
  const { pid, uuid, end } = wanted.found;
  if (end) throw new Error(`process ${pid} has ended already (${end.state})`);
  const { client } = ownerOf(wanted);
  await client.call('POST', `/v1/processes/${uuid}/kill`);
  const { state } = await untilInterrupted(client.call<ProcessView>('GET', `/v1/processes/${uuid}/wait`));
  printAnswer(`process ${pid} is ${state}`);
}

/** `wait`: resolves when a process has ended. The exit code is 0 after a good end, else 1. */
export async function wait(id: string): Promise<void> {
  const waited = await findProcess(id);
  const { pid, uuid } = waited.found;
  const ask = () => ownerOf(waited).client.call<ProcessView>('GET', `/v1/processes/${uuid}/wait`);
  const { end } = waited.found.end ? waited.found : await untilInterrupted(ask());
  if (end?.state === 'done') return;
  const how = end?.state === 'killed' ? 'was killed' : (end?.state ?? 'has not ended');
  printNote(`process ${pid} ${how}${end?.message ? `: ${end.message}` : ''}${end?.hint ? `; ${end.hint}` : ''}`);
  process.exitCode = EXIT.failure;
}

function ownerOf({ daemon, found }: FoundProcess) {
  if (!daemon) throw new Error(`process ${found.pid} belongs to a daemon of another configuration`);
  return daemon;
}
