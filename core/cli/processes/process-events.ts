import type { ProcessEvent } from '../../record/process-event';
import { readProcessEvents } from '../../record/read-processes';
import type { FoundProcess } from './find-process';

/** The events of a process: from its record, or from the daemon that runs it or still writes the record. */
export async function* processEvents(
  { state, daemon, found: { pid, uuid }, unwritten }: FoundProcess,
  follow: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  if (!daemon || !unwritten.has(pid)) yield* readProcessEvents(state, pid);
  else yield* daemon.client.stream<ProcessEvent>('GET', `/v1/processes/${uuid}/events`, { query: { follow }, signal });
}
