import { addTotals, NO_TURNS, type UsageTotals } from '../../../record/usage';
import type { UsageRow } from '../../protocol';
import { formatCost, formatCount, formatShare, NOTHING } from '../format';

/** One line per provider, the highest use first. */
export function UsageTable({ rows }: { rows: UsageRow[] }) {
  const sums = new Map<string, UsageTotals>();
  for (const { provider, ...row } of rows)
    sums.set(provider ?? '', addTotals(sums.get(provider ?? '') ?? NO_TURNS, row));
  const used = ({ inputTokens, outputTokens }: UsageTotals) => inputTokens + outputTokens;
  const ordered = [...sums].sort(([, a], [, b]) => used(b) - used(a));
  return (
    <div class="scroll-x">
      <table class="sums">
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">Requests</th>
            <th scope="col">Failed</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Cached</th>
            <th scope="col">Tokens out</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map(([provider, sum]) => (
            <tr key={provider}>
              <th scope="row">{provider}</th>
              <td>{formatCount(sum.turns)}</td>
              <td>{formatCount(sum.failed)}</td>
              <td>{formatCount(sum.inputTokens)}</td>
              <td>{sum.inputTokens > 0 ? formatShare(sum.cachedInputTokens / sum.inputTokens) : NOTHING}</td>
              <td>{formatCount(sum.outputTokens)}</td>
              <td>{formatCost(sum.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
