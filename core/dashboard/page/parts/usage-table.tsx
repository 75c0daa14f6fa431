import { addTotals, NO_TURNS, type UsageSplit, type UsageTotals } from '../../../record/usage';
import type { UsageSummary } from '../../../record/usage-summary';
import { formatCost, formatCount, formatShare, NOTHING } from '../format';
import { partOf } from './usage-chart';
import { TableHead } from './table-head';

const HEADS = ['Requests', 'Failed', 'Tokens in', 'Cached', 'Tokens out', 'Cost'];

/** One line per part, the highest use first. */
export function UsageTable({ rows, split, head }: { rows: UsageSummary[]; split: UsageSplit; head: string }) {
  const sums = new Map<string, UsageTotals>();
  for (const row of rows) {
    const part = partOf(row, split);
    sums.set(part, addTotals(sums.get(part) ?? NO_TURNS, row));
  }
  const used = ({ inputTokens, outputTokens }: UsageTotals) => inputTokens + outputTokens;
  const ordered = [...sums].sort(([, a], [, b]) => used(b) - used(a));
  return (
    <div class="scroll-x" tabIndex={0} role="group" aria-label={`Use by ${head.toLowerCase()}`}>
      <table class="sums">
        <TableHead heads={[head, ...HEADS]} />
        <tbody>
          {ordered.map(([part, sum]) => (
            <tr key={part}>
              <th scope="row">{part}</th>
              <td>{formatCount(sum.turns)}</td>
              <td>{formatCount(sum.failed)}</td>
              <td>{formatCount(sum.inputTokens)}</td>
              <td>{sum.inputTokens > 0 ? formatShare(sum.cachedInputTokens / sum.inputTokens) : NOTHING}</td>
              <td>{formatCount(sum.outputTokens)}</td>
              <td>{formatCost(sum.costUsd, sum.nominalUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
