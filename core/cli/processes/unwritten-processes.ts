import { z } from 'zod';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { isSummary, type ProcessSummary } from '../../record/process-summary';

const answerSchema = z.object({ processes: z.array(z.custom<ProcessSummary>(isSummary)) });

/** Those that run, and those that have just ended: the index on disk does not have their end yet. */
export async function unwrittenProcesses({ client }: FoundDaemon): Promise<ProcessSummary[]> {
  return (await client.get('/v1/processes', answerSchema, { unwritten: true })).processes;
}
