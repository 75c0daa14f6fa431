import { z } from 'zod';
import { isFields } from '../../fields';
import { addTotals, NO_TURNS, type UsageGrouping } from '../../record/usage';
import { summarizeUsage, type UsageSummary } from '../../record/usage-summary';
import { ledgerDirectory } from '../../record/ledger-files';
import { runningDaemon } from '../daemon/running-daemon';
import { sayUnkept } from '../folder-fault';
import { pathsHere } from '../here';
import { formatCost, formatCount } from '../terminal/format';
import { printNote, printReport } from '../terminal/print';
import { formatTable } from '../terminal/table';

const DAY_MS = 24 * 60 * 60 * 1000;

const answerSchema = z.object({ usage: z.array(z.custom<UsageSummary>(isFields)) });

/** `usage`: what all turns used, of the gateway and of agents. Needs no daemon. */
export async function usage({ by, json }: { by: UsageGrouping; json?: boolean }): Promise<void> {
  const daemon = await runningDaemon();
  // The daemon also has turns that are not on disk yet.
  const sums = daemon
    ? (await daemon.client.get('/v1/usage', answerSchema, { by })).usage
    : await summarizeUsage(pathsHere().state, { by, from: 0, to: Date.now() + DAY_MS });
  printReport(json, { by, usage: sums }, () => {
    const head = { provider: 'Provider', day: 'Day', project: 'Project' }[by];
    const total = sums.length > 1 ? [{ key: 'total', ...sums.reduce(addTotals, NO_TURNS) }] : [];
    const rows = [...sums, ...total].map(toRow);
    return formatTable([head, 'Turns', 'Failed', 'Input', 'Cached', 'Output', 'Cost'], rows);
  });
  const isUnkept = await sayUnkept('usage', ledgerDirectory(pathsHere().state));
  if (sums.length === 0 && !json && !isUnkept) printNote('nothing has been used yet');
}

function toRow({ key, turns, failed, inputTokens, cachedInputTokens, outputTokens, costUsd }: UsageSummary): string[] {
  const counts = [turns, failed, inputTokens, cachedInputTokens, outputTokens].map(formatCount);
  return [key ?? '(no project)', ...counts, formatCost(costUsd)];
}
