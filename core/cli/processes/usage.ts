import { z } from 'zod';
import { findPaths } from '../../paths';
import { addTotals, NO_TURNS } from '../../record/usage';
import { summarizeUsage, type UsageGrouping, type UsageSummary } from '../../record/usage-summary';
import { formatCost, formatCount } from '../terminal/format';
import { printAnswer, printJson, printNote } from '../terminal/print';
import { formatTable } from '../terminal/table';
import { runningDaemon } from '../daemon/running-daemon';
import { workingDirectory } from '../working-directory';

export interface UsageOptions {
  by: UsageGrouping;
  json?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const summarySchema = z.object({
  key: z.string().nullable(),
  turns: z.number(),
  failed: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number(),
  cacheWriteInputTokens: z.number(),
  costUsd: z.number(),
});

/** `usage`: what all turns used, those of the gateway and those of agents. Needs no daemon. */
export async function usage({ by, json }: UsageOptions): Promise<void> {
  const daemon = await runningDaemon();
  // The daemon has the turns of this moment.
  const sums = daemon
    ? (await daemon.client.get('/v1/usage', z.object({ usage: z.array(summarySchema) }), { by })).usage
    : await summarizeUsage(stateFolder(), { by, from: 0, to: Date.now() + DAY_MS });
  if (json) {
    printJson({ by, usage: sums });
    return;
  }
  const head = { provider: 'Provider', day: 'Day', project: 'Project' }[by];
  const rows = [...sums, ...(sums.length > 1 ? [total(sums)] : [])].map(toRow);
  printAnswer(formatTable([head, 'Turns', 'Failed', 'Input', 'Cached', 'Output', 'Cost'], rows));
  if (sums.length === 0) printNote('nothing has been used yet');
}

function stateFolder(): string {
  return findPaths(process.env, workingDirectory()).state;
}

function toRow({ key, turns, failed, inputTokens, cachedInputTokens, outputTokens, costUsd }: UsageSummary): string[] {
  const counts = [inputTokens, cachedInputTokens, outputTokens].map(formatCount);
  return [key ?? '(no project)', formatCount(turns), formatCount(failed), ...counts, formatCost(costUsd)];
}

function total(sums: UsageSummary[]): UsageSummary {
  return { key: 'total', ...sums.reduce(addTotals, NO_TURNS) };
}
