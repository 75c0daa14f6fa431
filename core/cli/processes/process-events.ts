import { z } from 'zod';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { processEventSchema } from '../../daemon/control/protocol';
import type { ProcessEvent } from '../../record/process-event';
import { isSummary, type ProcessSummary } from '../../record/process-summary';
import { readProcessEvents } from '../../record/read-processes';

export interface Processes {
  state: string;
  daemon: FoundDaemon | undefined;
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
  /** The pids of processes whose record is not complete on disk: the daemon has the rest. */
  unwritten: ReadonlySet<number>;
}

export type FoundProcess = Processes & { found: ProcessSummary };

const unwrittenSchema = z.object({ processes: z.array(z.custom<ProcessSummary>(isSummary)) });

/** The processes that run, and those whose end is not in the index on disk yet. */
export async function unwrittenProcesses({ client }: FoundDaemon): Promise<ProcessSummary[]> {
  return (await client.get('/v1/processes', unwrittenSchema, { unwritten: true })).processes;
}

/** The events of a process: from its record, or from the daemon that runs it or still writes the record. */
export async function* processEvents(
  { state, daemon, found: { pid, uuid }, unwritten }: FoundProcess,
  follow: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  if (!daemon || !unwritten.has(pid)) {
    yield* readProcessEvents(state, pid);
    return;
  }
  const path = `/v1/processes/${uuid}/events`;
  for await (const value of daemon.client.stream('GET', path, { query: { follow }, signal })) {
    const { data } = processEventSchema.safeParse(value);
    if (data) yield data;
  }
}
