import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { processEventSchema } from '../../daemon/control/process-view-schema';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessSummary } from '../../record/process-summary';
import { readProcessEvents } from '../../record/read-processes';
import type { Processes } from './find-process';

/** The events of a process: from its record, or from the daemon that runs it or still writes them down. */
export function processEvents(
  { state, daemon, found, unwritten }: Processes & { found: ProcessSummary },
  follow: boolean,
  signal?: AbortSignal,
): AsyncIterable<ProcessEvent> {
  return daemon && unwritten.has(found.pid)
    ? ask(daemon, found, { follow, signal })
    : readProcessEvents(state, found.pid);
}

async function* ask(
  { client }: FoundDaemon,
  { uuid }: ProcessSummary,
  { follow, signal }: { follow: boolean; signal: AbortSignal | undefined },
): AsyncGenerator<ProcessEvent, void> {
  const options = { query: { follow }, ...(signal && { signal }) };
  for await (const value of client.stream('GET', `/v1/processes/${uuid}/events`, options)) {
    const { data } = processEventSchema.safeParse(value);
    if (data) yield data;
  }
}
